"""What a page can answer without Python: the pieces of the library, atoms, its examples."""

from __future__ import annotations

import json

from alfil.api import Piece, describe, read, write
from alfil.errors import AlfilError
from alfil.highlighting import rules_by_context
from alfil.keyword_help import letters
from alfil.library.library import bundled_set_names_by_preference, library_by_name
from alfil.library.piece_file import Entry, normalise_name
from alfil.notation.description import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS
from alfil.notation.vocabulary import DIALECTS
from alfil.site.piece_requests import TITLES, Json, page_data_of_text

# What the page offers where nothing is written, besides atoms and names.
EXAMPLES = ("fmWfcF", "FyafsF")


def precomputed_answers_json() -> bytes:
    """The answers to "read", and what explains a text while it is written, as JSON.

    ``answers`` are without what depends on how it was asked: the text, the name, how the diagram
    is called. ``names`` have the number of an answer, the name and the place by name, as
    `normalise_name` has it, and by place; ``texts`` have by notation and text the number, and how
    the text is laid out where that is not how the answer has it. Besides,
    by notation: ``letters`` are those of the cheat sheet with what they mean, and ``colours`` the
    patterns by which a text is coloured, with the names of their groups.
    """
    answers = _AnswerCollector()
    for name in bundled_set_names_by_preference():
        for entry in library_by_name(name).pieces:
            answers.add_library_piece(entry, f"{name}:{entry.code}")
    for text in (*DIALECTS[DEFAULT_NOTATION].atoms, *EXAMPLES):
        answers.add_text(text)
    rules = rules_by_context()
    data = {
        "answers": answers.answers,
        "names": answers.names,
        "texts": answers.texts,
        "letters": {notation: letters(notation) for notation in TITLES},
        "colours": {notation: rules[NOTATIONS[notation].folder] for notation in TITLES},
    }
    return json.dumps(data, separators=(",", ":")).encode()


class _AnswerCollector:
    """Answers as they are collected; pieces that are written alike have one."""

    def __init__(self) -> None:
        self.answers: list[Json] = []
        self.names: dict[str, tuple[int, str, str]] = {}
        self.texts: dict[str, dict[str, list[object]]] = {notation: {} for notation in TITLES}
        self._numbers: dict[tuple[str, str], int | None] = {}

    def add_library_piece(self, entry: Entry, qualified_code: str) -> None:
        """A piece of the library under its names, and under its notations where they say all."""
        words = describe(entry)
        key = (qualified_code, "") if entry.restrictions else (entry.piece.text, words)
        if key not in self._numbers:
            self._numbers[key] = self._add_answer(qualified_code)
        number = self._numbers[key]
        if number is None:
            return
        asked = [
            qualified_code,
            *(normalise_name(each) for each in entry.names if not _is_readable_as_notation(each)),
        ]
        for name in asked:
            self.names.setdefault(name, (number, entry.name, qualified_code))
        if not entry.restrictions:
            for piece in entry.movements:
                if piece.notation in TITLES and _is_described_as(piece, words):
                    self._add_text_of_piece(piece, number)

    def add_text(self, text: str) -> None:
        """A text in the usual notation."""
        number = None if text in self.texts[DEFAULT_NOTATION] else self._add_answer(text)
        if number is not None:
            self._add_text_of_piece(read(text), number)

    def _add_text_of_piece(self, piece: Piece, number: int) -> None:
        written = write(piece)
        own = [] if written == self.answers[number]["written"] else [written]
        self.texts[piece.notation].setdefault(piece.text.strip(), [number, *own])

    def _add_answer(self, text: str) -> int | None:
        """The number of a new answer; None where it is that something is wrong."""
        answer = page_data_of_text(text, DEFAULT_NOTATION)
        if "data" not in answer:
            return None
        asked = ("text", "named", "diagnostics")
        self.answers.append({name: answer[name] for name in answer if name not in asked})
        return len(self.answers) - 1


def _is_described_as(piece: Piece, words: str) -> bool:
    """Whether a notation says what is said of its piece, without a warning."""
    return not piece.diagnostics and describe(piece) == words


def _is_readable_as_notation(name: str) -> bool:
    """Whether a name is read as a notation, for which it takes a capital letter."""
    try:
        return name != name.lower() and bool(read(name))
    except AlfilError:
        return False
