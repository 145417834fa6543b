"""Play a random game: each position with the legal moves, and the moves, as JSON."""

import json
import random
import sys

import alfil

game = alfil.load(sys.argv[1]).game()
chance = random.Random(8)
positions: list[list[str]] = []
while not game.is_game_over() and len(game.moves) < 80:
    positions.append(sorted(move.uci() for move in game.legal_moves))
    game.push(game.random_move(chance))
print(json.dumps([positions, [move.uci() for move in game.moves]]))
