"""Who alfil's opponent plays against: chance, greed, itself once, HaChu and Fairy-Stockfish.

Each is a function from a game to the text of a move. This file is also the program that the
earlier version runs: it knows nothing but the moves of the game, one line for each of its turns.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import IO, Literal, TypeAlias

import alfil

Player: TypeAlias = "Callable[[alfil.Game], str]"

# The last commit before the opponent was written anew, on the engine.
EARLIER = "2b79defc5a4c2d933086a7107d4aa1d8b49b69f0"


@contextmanager
def chance(seed: int) -> Iterator[Player]:
    """Any legal move."""
    random = Random(seed)
    yield lambda game: str(game.random_move(random))


@contextmanager
def greedy(name: str, seed: int) -> Iterator[Player]:
    """The capture that is worth most, any move where there is none; it does not look ahead."""
    from alfil.game.compiled_variant import compile_variant  # noqa: PLC0415 - not in the earlier
    from alfil.play.opponent import PieceValues  # noqa: PLC0415 - nor is this

    random, compiled = Random(seed), compile_variant(alfil.load(name).variant)
    values = PieceValues(compiled, seed=0, noise=0).board

    def gain(game: alfil.Game, move: alfil.Move) -> int:
        squares = [file + rank * compiled.files for file, rank in move.captures]
        pieces = [compiled.piece_number(*game.pieces[at]) for at in move.captures]
        return sum(values[p * compiled.size + s] for p, s in zip(pieces, squares, strict=True))

    def choose(game: alfil.Game) -> str:
        moves = [(gain(game, move), random.random(), move) for move in game.legal_moves]
        return str(max(moves, key=lambda each: each[:2])[2])

    yield choose


@contextmanager
def hachu(name: str) -> Iterator[Player]:
    """HaChu, a second for each move, which is the least that it takes."""
    from alfil.exchange.engine_client import EngineClient  # noqa: PLC0415 - as above

    client = EngineClient("cecp:/usr/games/hachu", alfil.load(name).variant)
    # It would call a move illegal that brings back a position, and lose track of the game.
    client._send_lines("option Allow repeats=1")
    try:
        yield lambda game: str(client.choose(game, 1.0))
    finally:
        client.close()


@contextmanager
def earlier(name: str, seed: int) -> Iterator[Player]:
    """The opponent as it was in `EARLIER`, as deep as it looked then unless told otherwise."""
    from benchmarks.measure import BUILD, HOME  # noqa: PLC0415 - unknown to the earlier version

    folder = BUILD / f"alfil-{EARLIER[:7]}"
    if not folder.exists():
        packed = subprocess.run(
            ["git", "archive", EARLIER], cwd=HOME, check=True, capture_output=True
        )
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
    around = os.environ | {"PYTHONPATH": str(folder / "src")}
    with _talking([sys.executable, __file__, name, str(seed)], around) as (say, said):
        yield lambda game: (say(" ".join(map(str, game.moves))), next(said))[1]


@contextmanager
def stockfish(name: str, nodes: int) -> Iterator[Player]:
    """Fairy-Stockfish without a network, which looks at so many positions for each move."""
    from alfil.exchange.protocol_notation import (  # noqa: PLC0415 - unknown to the earlier version
        ProtocolNotation,
    )
    from benchmarks import fairy_stockfish  # noqa: PLC0415 - unknown to the earlier version

    protocol: Literal["uci", "usi"] = "usi" if name == "shogi" else "uci"
    options = {"Use NNUE": "false", f"{protocol.upper()}_Variant": name, "Threads": "1"}
    library = alfil.load(name)
    notation, replay = ProtocolNotation(library.variant, protocol), library.game()
    played: list[str] = []
    with _talking([str(fairy_stockfish.program())], dict(os.environ)) as (say, said):
        say(protocol)
        for option, value in options.items():
            say(f"setoption name {option} value {value}")

        def choose(game: alfil.Game) -> str:
            for move in game.moves[len(played) :]:
                played.append(notation.write(replay, move))
                replay.push(move)
            say(f"position startpos moves {' '.join(played)}")
            say(f"go nodes {nodes}")
            text = next(line.split()[1] for line in said if line.startswith("bestmove"))
            move = notation.read(replay, text)
            if move is None:
                raise ValueError(f"Fairy-Stockfish played {text}, which is no move of {name}")
            return str(move)

        yield choose


@contextmanager
def _talking(
    command: list[str], around: dict[str, str]
) -> Iterator[tuple[Callable[[str], None], Iterator[str]]]:
    """A program that is told lines and says lines, until it is left."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=around
    ) as process:
        assert process.stdin
        assert process.stdout
        said = map(str.strip, process.stdout)
        try:
            yield _sender(process.stdin), said
        finally:
            process.kill()


def _sender(stream: IO[str]) -> Callable[[str], None]:
    def say(line: str) -> None:
        stream.write(f"{line}\n")
        stream.flush()

    return say


def answer() -> None:
    """Play one game, as whatever version of alfil this is run with."""
    from alfil.play.opponent import Opponent  # noqa: PLC0415 - of another version

    name, seed = sys.argv[1:]
    library = alfil.load(name)
    game = library.game()
    opponent = Opponent(library.variant, seed=int(seed))
    for line in sys.stdin:
        for move in line.split()[len(game.moves) :]:
            game.push(move)
        print(opponent.choose(game), flush=True)


if __name__ == "__main__":
    answer()
