"""Every public function and class is given what it does not take; only documented errors leave."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil.play.opponent import Opponent  # as docs/play.md says

FACES = (alfil, alfil.records, alfil.learning)
STRAY: tuple[object, ...] = (1.5, b"x", ["W"], object(), None)


def public_callables() -> Iterator[tuple[str, Callable[..., object], inspect.Signature]]:
    """Those that take something without a default; records of results are made by nobody."""
    for face in FACES:
        for name in face.__all__:
            public = getattr(face, name)
            if not callable(public) or hasattr(public, "_fields"):
                continue
            if hasattr(public, "__dataclass_fields__"):
                continue
            if inspect.isclass(public) and issubclass(public, BaseException):
                continue
            try:
                signature = inspect.signature(public)
            except ValueError:
                continue
            if needed(signature):
                yield f"{face.__name__}.{name}", public, signature


def needed(signature: inspect.Signature) -> list[inspect.Parameter]:
    """What must be given."""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        each
        for each in signature.parameters.values()
        if each.default is each.empty and each.kind not in variadic
    ]


PUBLIC = {name: (public, signature) for name, public, signature in public_callables()}


def test_the_sweep_meets_what_there_is() -> None:
    assert {"alfil.read", "alfil.values", "alfil.Game", "alfil.records.read_games"} <= {*PUBLIC}
    assert len(PUBLIC) >= 40


@pytest.mark.parametrize("name", PUBLIC)
def test_a_stray_value_is_told_as_such(name: str) -> None:
    public, signature = PUBLIC[name]
    # A game is what `values` takes.
    values = STRAY if name == "alfil.values" else (*STRAY, alfil.load("chess"))
    for value in values:
        by_place, by_name = [], {}
        for each in needed(signature):
            if each.kind is each.KEYWORD_ONLY:
                by_name[each.name] = value
            else:
                by_place.append(value)
        answer(public, by_place, by_name)


def answer(public: Callable[..., Any], by_place: list[Any], by_name: dict[str, Any]) -> None:
    """Call it; ValueError is AlfilError's base, and anything else than these fails the test."""
    try:
        public(*by_place, **by_name)
    except (TypeError, ValueError):
        return


def public_objects() -> Iterator[object]:
    """Objects whose methods take something, one of each class."""
    chess = alfil.load("chess")
    yield from (chess, chess.variant, chess.game(), chess["N"], chess["N"].piece, alfil.draw("N"))
    yield alfil.Tablebase.make(chess.variant, ["KK"])
    yield Opponent(chess.variant, depth=1)
    yield alfil.Session(chess.variant, ("a", "b"))


def test_a_stray_value_is_told_by_every_method(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # some methods write a file of that name
    for each in public_objects():
        for name in (name for name in dir(type(each)) if not name.startswith("_")):
            method = getattr(each, name)
            if not callable(method):
                continue
            # Where a KeyError is documented, it is what a mapping raises.
            documented = (KeyError,) if "KeyError" in (method.__doc__ or "") else ()
            for value in (*STRAY, "x", -1, alfil.load("minishogi")):
                given = [value for _ in needed(inspect.signature(method))]
                with suppress(*documented):
                    answer(method, given, {})


def test_a_stray_source_of_chance_is_told_as_such() -> None:
    for value in (1.5, "x", ["W"], object()):
        with pytest.raises(TypeError, match=r"random\.Random"):
            alfil.load("chess").game().random_move(value)  # type: ignore[arg-type]
