"""Whether HaChu takes the moves of random games, and whether the moves it makes are legal here.

    python -m conformance.hachu chu 20

plays so many games, in which both sides move at random and HaChu (Debian's package) is told each
move; every tenth move is one of HaChu's. It prints the moves that one of the two calls illegal. A
lion that passes is not told, as HaChu has no move for it.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from random import Random

import alfil
from alfil.exchange.protocol_notation import ProtocolNotation  # how HaChu writes moves
from alfil.play.game import Game

PROGRAM = "/usr/games/hachu"
# A game is left after so many moves; one in so many is HaChu's.
LONGEST, OWN = 200, 10


class HaChu:
    """The program in one game: it is asked with a ping whether it took a move."""

    def __init__(self, variant: str) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([PROGRAM], stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self._pings = 0
        for line in ("xboard", "protover 2", "memory 16", "new", f"variant {variant}", "force"):
            self._say(line)
        for line in ("easy", "nopost", "sd 1", "option Allow repeats=1"):
            self._say(line)

    def _say(self, line: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _answers(self) -> list[str]:
        """The lines up to the answer of a ping."""
        self._pings += 1
        self._say(f"ping {self._pings}")
        assert self._process.stdout
        result = []
        for line in self._process.stdout:
            if line.strip() == f"pong {self._pings}":
                return result
            result.append(line.strip())
        raise EOFError("it has ended")

    def refusal(self, move: str) -> str:
        """What it says against a move that it is told, empty where it makes it."""
        self._say(f"usermove {move}")
        lines = [line for line in self._answers() if line[:1] != "#"]
        return next((line for line in lines if "llegal" in line), "")

    def move(self) -> str:
        """Its own move, of two legs perhaps; empty where the game is over for it."""
        self._say("go")
        lines = [line for line in self._answers() if line.startswith("move ")]
        self._say("force")
        return "".join(line.removeprefix("move ") for line in lines)

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def play(name: str, seed: int, found: Counter[str]) -> None:
    """One game; what is called illegal is printed with the position before it."""
    game, random = alfil.load(name).game(), Random(seed)
    spelling, program = ProtocolNotation(game.variant, "cecp"), HaChu(name)
    try:
        for number in range(LONGEST):
            if game.outcome():
                break
            if number % OWN == OWN - 1:
                if not _its_move(game, spelling, program, found):
                    break
            elif not _our_move(game, spelling, program, random, found):
                break
    except EOFError:
        found["ended: HaChu broke off"] += 1
    program.close()


def _our_move(
    game: Game, spelling: ProtocolNotation, program: HaChu, random: Random, found: Counter[str]
) -> bool:
    move = random.choice([move for move in game.legal_moves if not _passes(move)])
    text = spelling.write(game, move)
    found["moves told"] += 1
    found["of two legs"] += "," in text
    refusal = program.refusal(text)
    if refusal:
        found[f"refused by HaChu: {_kind(game, move)}"] += 1
        _say(f"{refusal}: {text} ({move.code} {move}) in {game.position_text()}")
        return False
    game.push(move)
    return True


def _passes(move: alfil.Move) -> bool:
    return move.origin == move.target and not move.captures


def _kind(game: Game, move: alfil.Move) -> str:
    """What HaChu may have against a move: a king can be captured before or after it."""
    if _takes_royals(game):
        return "the other king could be captured"
    after = game.copy()
    after.push(move)
    return "the king can be captured then" if _takes_royals(after) else "another reason"


def _takes_royals(game: Game) -> bool:
    """Whether the side to move can capture all royals of the other side, one by one."""
    royal = {each.code for each in game.variant.kinds if each.royal}
    own = game.side_to_move
    squares = {at for at, (code, side) in game.pieces.items() if code in royal and side != own}
    return squares <= {at for each in game.legal_moves for at in each.captures}


def _its_move(game: Game, spelling: ProtocolNotation, program: HaChu, found: Counter[str]) -> bool:
    text = program.move()
    move = spelling.read(game, text) if text else None
    found["moves of HaChu"] += 1
    if move is None:
        found["illegal here"] += 1
        _say(f"illegal here: {text} in {game.position_text()}")
        return False
    game.push(move)
    return True


def main(name: str, games: int) -> None:
    """Play the games, and count."""
    found: Counter[str] = Counter()
    for seed in range(games):
        play(name, seed, found)
    _say(f"{name}: {games} games, {dict(found)}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
