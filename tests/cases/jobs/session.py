"""A session in a notebook: what is looked at, and random games of chess as FEN."""

import random
import sys

import alfil

griffon = alfil.read("FyafsF")
assert alfil.same(griffon, alfil.find("griffon").piece)
picture: str = alfil.draw(griffon, enemies=[(1, 1)]).svg()
assert picture.startswith("<svg")
found = alfil.difference("afsK", "N")
assert found is not None
assert found.only == "second"

chess = alfil.load("chess")
chance = random.Random(1)
for _ in range(int(sys.argv[1])):
    game = chess.game()
    while not game.is_game_over() and len(game.moves) < int(sys.argv[2]):
        move: alfil.Move = game.random_move(chance)
        game.push(move)
        print(game.fen())
