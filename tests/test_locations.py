"""CELL and HAND: which strings are locations, what they stand for, what is wrong with others."""

from __future__ import annotations

import copy
import csv
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from enum import Enum, IntEnum
from unittest.mock import Mock

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import alfil
import location_oracle as oracle
from alfil.locations import (
    HAND,
    Cell,
    CellDialect,
    Hand,
    Label,
    Location,
    LocationError,
    cell_from_indices,
    is_cell,
    is_cell_bounded,
    is_cell_opaque,
    is_hand,
    is_location,
    parse_cell,
    parse_hand,
    parse_location,
)
from boards import CASES
from gathering import every_row

OPAQUE, LAYERED, BOUNDED = CellDialect.OPAQUE, CellDialect.LAYERED, CellDialect.BOUNDED

Judge = Callable[[object], bool]
Parser = Callable[[str], Location]

JUDGES: dict[str, Judge] = {
    "cell-v1": is_cell_opaque,
    "cell-layered": is_cell,
    "cell-layered-bounded": is_cell_bounded,
    "hand": is_hand,
    "location": is_location,
}
PARSERS: dict[str, Parser] = {
    "cell-v1": lambda text: parse_cell(text, OPAQUE),
    "cell-layered": parse_cell,
    "cell-layered-bounded": lambda text: parse_cell(text, BOUNDED),
    "hand": parse_hand,
    "location": parse_location,
}
LONG_NUMBER = "a" + "9" * 5000


def read_rows() -> list[tuple[str, object, bool, str]]:
    with (CASES / "locations.tsv").open(encoding="utf-8", newline="") as file:
        table = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True))
    assert table[0] == ["spec", "input_json", "valid", "reason"]
    answers = {"true": True, "false": False}
    return [(spec, json.loads(text), answers[valid], why) for spec, text, valid, why in table[1:]]


ROWS = read_rows()


def name(row: tuple[str, object, bool, str]) -> str:
    return f"{row[0]} {ascii(row[1])[:40]}"


@every_row("row", ROWS)
def test_case(row: tuple[str, object, bool, str]) -> None:
    spec, text, valid, _ = row
    assert JUDGES[spec](text) is valid
    parse = PARSERS[spec]
    if not isinstance(text, str):
        with pytest.raises(TypeError):
            parse(text)  # type: ignore[arg-type]
    elif valid and text != LONG_NUMBER:
        assert str(parse(text)) == text
    elif not valid:
        with pytest.raises(LocationError) as caught:
            parse(text)
        assert caught.value.text == text


INDEXED = [row for row in ROWS if row[2] and "indices=[" in row[3]]


@every_row("row", INDEXED)
def test_indices_of_a_case(row: tuple[str, object, bool, str]) -> None:
    spec, text, _, why = row
    assert isinstance(text, str)
    dialect = {"cell-layered": LAYERED, "cell-layered-bounded": BOUNDED}[spec]
    (listed,) = re.findall(r"indices=(\[.*\])$", why)
    indices = tuple(json.loads(listed))
    cell = parse_cell(text, dialect)
    assert isinstance(cell, Cell)
    assert cell.indices == indices
    assert cell.dimensions == len(indices)
    assert str(cell_from_indices(*indices, dialect=dialect)) == text
    assert Cell(indices) == cell


def test_the_cases_are_all_there() -> None:
    assert {row[0] for row in ROWS} == set(JUDGES)
    valid = [row for row in ROWS if row[2] and row[0].startswith("cell-layered")]
    without = [row[1] for row in valid if row not in INDEXED]
    assert all(isinstance(text, str) and len(text) > 200 for text in without)


# The table of calls: *, e4, 5c, a1Aa, None.
@pytest.mark.parametrize(
    ("judge", "answers"),
    [
        (is_hand, "10000"),
        (is_cell, "01010"),
        (is_cell_bounded, "01000"),
        (is_cell_opaque, "11110"),
        (is_location, "11010"),
    ],
)
def test_answers(judge: Judge, answers: str) -> None:
    texts = ("*", "e4", "5c", "a1Aa", None)
    assert [judge(text) for text in texts] == [answer == "1" for answer in answers]


def test_what_a_dialect_makes_of_a_text() -> None:
    texts = ("*", "e4", "5c", "a1Aa")
    opaque = [HAND, Label("e4"), Label("5c"), Label("a1Aa")]
    assert [parse_location(text, OPAQUE) for text in texts] == opaque
    assert [parse_cell(text, OPAQUE) for text in texts] == opaque
    layered: list[Location] = [HAND, Cell((4, 3)), Cell((0, 0, 0, 0))]
    assert [parse_location(text) for text in ("*", "e4", "a1Aa")] == layered
    assert [parse_cell(text) for text in ("e4", "a1Aa")] == layered[1:]
    assert parse_location("iv256IV", BOUNDED) == Cell((255, 255, 255))
    dialects = [OPAQUE, LAYERED, BOUNDED]
    assert [is_location("*", dialect) for dialect in dialects] == [True, True, True]
    assert [is_location("5c", dialect) for dialect in dialects] == [True, False, False]
    assert [is_location("a1Aa", dialect) for dialect in dialects] == [True, True, False]


def test_indices_of_words() -> None:
    words = oracle.words()
    assert len(words) == 26 + 26**2 + 26**3
    for index, word in enumerate(words):
        assert parse_cell(word).indices == (index,)
        assert str(Cell((index, 0, index))) == f"{word}1{word.upper()}"


class Text(str):
    """A string whose own methods all lie."""

    __slots__ = ()

    def __str__(self) -> str:
        return "z9"

    def __repr__(self) -> str:
        return "z9"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __len__(self) -> int:
        return 0


class Square(str, Enum):  # noqa: UP042 - unlike a StrEnum, str() of a member is "Square.A"
    A = "e4"


class Claims:
    """No string, but it says it is."""

    __class__ = str  # type: ignore[assignment]


class Fails:
    @property
    def __class__(self) -> type:  # type: ignore[override]
        raise RuntimeError


NO_STRINGS = [
    *(None, True, False, 0, 1, 3.14, 1j, b"e4", b"*", bytearray(b"e4"), ["*"], ["e4"], ("e4",)),
    *({}, {"*"}, object(), str, Cell((4, 3)), Label("e4"), HAND),
]
ALL_PARSERS: list[Parser] = [
    *PARSERS.values(),
    lambda text: parse_location(text, OPAQUE),
    lambda text: parse_location(text, BOUNDED),
    Label,
]


@pytest.mark.parametrize("given", NO_STRINGS, ids=lambda given: type(given).__name__)
def test_only_strings_are_locations(given: str) -> None:
    assert [judge(given) for judge in JUDGES.values()] == [False] * 5
    for parse in ALL_PARSERS:
        with pytest.raises(TypeError, match=r"^a location is a str, not "):
            parse(given)


def test_what_claims_to_be_a_string_is_none() -> None:
    for thing in (Mock(spec=str), Claims(), Fails()):
        assert not any(judge(thing) for judge in JUDGES.values())
        for parse in ALL_PARSERS:
            with pytest.raises(TypeError, match=r"^a location is a str, not "):
                parse(thing)  # type: ignore[arg-type]


def test_subclasses_of_str_are_their_characters() -> None:
    assert parse_cell(Text("e4")) == Cell((4, 3))
    assert parse_location(Text("*")) is HAND
    assert not is_hand(Text("e4"))
    assert not is_cell(Text(""))
    for made in (Label(Text("5c")), parse_cell(Text("5c"), OPAQUE)):
        assert isinstance(made, Label)
        assert type(made.text) is str
        assert repr(made) == "Label('5c')"
    assert parse_cell(Square.A) == Cell((4, 3))
    assert Label(Square.A).text == "e4"
    with pytest.raises(LocationError) as caught:
        parse_cell(Text("5c"))
    assert type(caught.value.text) is str
    assert caught.value.text == "5c"


@pytest.mark.parametrize("dialect", ["layered", None, 0])
def test_a_dialect_is_no_string(dialect: CellDialect) -> None:
    calls: list[Callable[[], object]] = [
        lambda: is_location("e4", dialect),
        lambda: parse_location("*", dialect),
        lambda: parse_cell("e4", dialect),
        lambda: cell_from_indices(4, 3, dialect=dialect),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="a dialect is a CellDialect, not"):
            call()


def test_long_numbers() -> None:
    longest = "a" + "9" * 4300
    assert parse_cell(longest).indices == (0, 10**4300 - 2)
    assert Cell((0, 10**4300 - 2)) == parse_cell(longest)
    assert str(Cell((0, 10**4300 - 2))) == longest
    for digits in ("9" * 4301, "1" + "0" * 4300):
        text = f"a{digits}A"
        assert is_cell(text)
        assert is_location(text)
        with pytest.raises(LocationError) as caught:
            parse_cell(text)
        assert (caught.value.kind, caught.value.spans) == ("range", ((1, 4302),))
    with pytest.raises(LocationError) as caught:
        Cell((0, 10**4300 - 1))
    assert (caught.value.kind, caught.value.spans[0].start) == ("range", 3)


def test_long_words_are_read_and_written() -> None:
    cell = parse_cell("z" * 5000)
    assert cell.indices == (sum(26**n for n in range(1, 5001)) - 1,)
    assert Cell(cell.indices) == cell
    assert str(Cell(cell.indices)) == "z" * 5000
    assert eval(repr(cell)) == cell


def test_numbers_do_not_depend_on_the_limit_of_the_interpreter() -> None:
    code = """
from alfil.locations import Cell, parse_cell
cell = parse_cell("a" + "7" * 4000)
assert cell.indices == (0, 7 * ((10**4000 - 1) // 9) - 1)
assert str(Cell(cell.indices)) == "a" + "7" * 4000
assert eval(repr(cell)) == cell
print("done")
"""
    run = [sys.executable, "-X", "int_max_str_digits=640", "-c", code]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "done\n"


LONG = 200_000
LARGE = {
    "word": "a" * LONG,
    "word and a fault": "a" * LONG + "!",
    "number": "a" + "9" * LONG,
    "number and a fault": "a" + "9" * LONG + "!",
    "layers": "a1A" * (LONG // 3) + "a",
    "layers and a fault": "a1A" * (LONG // 3) + "a1a",
    "capitals and a fault": "a1" + "A" * LONG + "1",
    "stars": "*" * LONG,
    "blanks": " " * LONG,
    "not ascii": "\u00e9" * LONG,
}


def read_or_report(parse: Parser, text: str) -> str:
    try:
        return str(parse(text))
    except LocationError as error:
        return str(error)


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_long_text(text: str) -> None:
    # less than a second; the square of it would be hours, which the runner calls a hang
    for judge in JUDGES.values():
        judge(text)
    answers = [read_or_report(parse, text) for parse in ALL_PARSERS]
    # a report shows a window of the line
    assert all(answer == text or len(answer) < 1000 for answer in answers)


# kind, message and place of each fault, by the dialect it is read in
FAULTS: list[tuple[CellDialect, str, str, str, tuple[int, int]]] = [
    (LAYERED, "", "empty", "empty input", (0, 0)),
    (BOUNDED, "", "empty", "empty input", (0, 0)),
    (OPAQUE, "", "empty", "empty input", (0, 0)),
    (BOUNDED, "iv256IVa", "length", "input exceeds 7 characters", (7, 8)),
    (BOUNDED, "********", "length", "input exceeds 7 characters", (7, 8)),
    (BOUNDED, "aaaaaaaaaa", "length", "input exceeds 7 characters", (7, 10)),
    (LAYERED, "9a", "start", "must start with lowercase letter", (0, 1)),
    (LAYERED, "*", "start", "must start with lowercase letter", (0, 1)),
    (BOUNDED, "*", "start", "must start with lowercase letter", (0, 1)),
    (LAYERED, "E4", "start", "must start with lowercase letter", (0, 1)),
    (LAYERED, " e4", "start", "must start with lowercase letter", (0, 1)),
    (LAYERED, "0", "start", "must start with lowercase letter", (0, 1)),
    (LAYERED, "a01", "leading-zero", "leading zero", (1, 2)),
    (LAYERED, "a1Aa0", "leading-zero", "leading zero", (4, 5)),
    (BOUNDED, "ab0", "leading-zero", "leading zero", (2, 3)),
    (BOUNDED, "a1Aa", "dimensions", "exceeds 3 dimensions", (3, 4)),
    (BOUNDED, "a1Aaa", "dimensions", "exceeds 3 dimensions", (3, 5)),
    (BOUNDED, "iw1Aa!", "dimensions", "exceeds 3 dimensions", (4, 5)),
    (LAYERED, "a1a", "character", "unexpected character", (2, 3)),
    (LAYERED, "aA", "character", "unexpected character", (1, 2)),
    (LAYERED, "e4\n", "character", "unexpected character", (2, 3)),
    (LAYERED, "a1A0", "character", "unexpected character", (3, 4)),
    (LAYERED, "a1A1", "character", "unexpected character", (3, 4)),
    (LAYERED, "e 4", "character", "unexpected character", (1, 2)),
    (LAYERED, "a1\u0662", "character", "unexpected character", (2, 3)),
    (BOUNDED, "iwA", "character", "unexpected character", (2, 3)),
    (BOUNDED, "a257!", "character", "unexpected character", (4, 5)),
    (OPAQUE, "**", "character", "unexpected character", (1, 2)),
    (OPAQUE, "*e4", "character", "unexpected character", (1, 2)),
    (OPAQUE, "e4*", "character", "unexpected character", (2, 3)),
    (OPAQUE, "e-4", "character", "unexpected character", (1, 2)),
    (OPAQUE, "@", "character", "unexpected character", (0, 1)),
    (BOUNDED, "iw", "range", "index exceeds 255", (0, 2)),
    (BOUNDED, "a257", "range", "index exceeds 255", (1, 4)),
    (BOUNDED, "a1IW", "range", "index exceeds 255", (2, 4)),
    (BOUNDED, "iw257IW", "range", "index exceeds 255", (0, 2)),
    (BOUNDED, "aaa", "range", "index exceeds 255", (0, 3)),
]


@pytest.mark.parametrize(("dialect", "text", "kind", "message", "span"), FAULTS)
def test_faults(
    dialect: CellDialect, text: str, kind: str, message: str, span: tuple[int, int]
) -> None:
    with pytest.raises(LocationError) as caught:
        parse_cell(text, dialect)
    error = caught.value
    assert isinstance(error, alfil.AlfilError)
    assert (error.kind, error.diagnostics[0].message, error.spans) == (kind, message, (span,))
    assert (error.text, error.dialect) == (text, dialect)
    assert error.hint
    if text != "*":
        with pytest.raises(LocationError) as again:
            parse_location(text, dialect)
        assert str(again.value) == str(error)


@pytest.mark.parametrize(
    ("text", "kind", "span"),
    [
        ("", "empty", (0, 0)),
        ("**", "hand", (1, 2)),
        ("*\n", "hand", (1, 2)),
        (" *", "hand", (0, 1)),
        ("e4", "hand", (0, 1)),
        ("\uff0a", "hand", (0, 1)),
    ],
)
def test_faults_of_the_hand(text: str, kind: str, span: tuple[int, int]) -> None:
    with pytest.raises(LocationError) as caught:
        parse_hand(text)
    assert (caught.value.kind, caught.value.spans) == (kind, (span,))
    assert (caught.value.text, caught.value.dialect) == (text, None)
    message = "not a HAND location" if kind == "hand" else "empty input"
    assert caught.value.diagnostics[0].message == message


def test_a_label_is_no_hand() -> None:
    for text, kind in (("*", "character"), ("", "empty"), ("e-4", "character")):
        with pytest.raises(LocationError) as caught:
            Label(text)
        assert (caught.value.kind, caught.value.dialect) == (kind, OPAQUE)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("5e", "from_shogi reads squares of shogi"),
        ("*", "parse_location and parse_hand read the hand"),
        ("E4", "write the file first, as in e4"),
    ],
)
def test_hints_name_the_likely_mistake(text: str, hint: str) -> None:
    with pytest.raises(LocationError) as caught:
        parse_cell(text)
    assert caught.value.hint == hint


def test_errors_travel() -> None:
    with pytest.raises(LocationError) as caught:
        parse_cell("a1Aa", BOUNDED)
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is LocationError
    assert str(error) == str(caught.value)
    assert (error.kind, error.text, error.dialect) == ("dimensions", "a1Aa", BOUNDED)


@pytest.mark.parametrize(
    ("indices", "kind", "span", "text"),
    [
        ((), "empty", (0, 0), ""),
        ((-1,), "range", (0, 2), "-1"),
        ((4, -3), "range", (3, 5), "4, -3"),
        ((4, 3, -2, -1), "range", (6, 8), "4, 3, -2, -1"),
    ],
)
def test_indices_that_no_cell_has(
    indices: tuple[int, ...], kind: str, span: tuple[int, int], text: str
) -> None:
    for make in (lambda: Cell(indices), lambda: cell_from_indices(*indices)):
        with pytest.raises(LocationError) as caught:
            make()
        assert (caught.value.kind, caught.value.spans) == (kind, (span,))
        assert (caught.value.text, caught.value.dialect) == (text, LAYERED)


@pytest.mark.parametrize(
    ("indices", "kind", "span"),
    [
        ((0, 0, 0, 0), "dimensions", (3, 4)),
        ((256, 0, 0, 26), "dimensions", (4, 6)),
        ((256,), "range", (0, 2)),
        ((0, 256), "range", (1, 4)),
        ((0, 999_999), "range", (1, 8)),
        ((255, 255, 256), "range", (5, 7)),
    ],
)
def test_indices_that_no_bounded_cell_has(
    indices: tuple[int, ...], kind: str, span: tuple[int, int]
) -> None:
    assert cell_from_indices(*indices).indices == indices
    with pytest.raises(LocationError) as caught:
        cell_from_indices(*indices, dialect=BOUNDED)
    assert (caught.value.kind, caught.value.spans) == (kind, (span,))
    assert (caught.value.text, caught.value.dialect) == (str(Cell(indices)), BOUNDED)


def test_labels_have_no_indices() -> None:
    with pytest.raises(ValueError, match="no indices"):
        cell_from_indices(4, 3, dialect=OPAQUE)


@pytest.mark.parametrize(
    "indices", [(True, 0), (0, False), (1.0,), ("e", "4"), "e4", (None,), 4, None, ([4],)]
)
def test_indices_are_integers(indices: tuple[int, ...]) -> None:
    with pytest.raises(TypeError):
        Cell(indices)


class Number(IntEnum):
    FOUR = 4


def test_indices_are_kept_as_a_tuple_of_plain_integers() -> None:
    given = [4, 3]
    cell = Cell(given)
    given[0] = 0
    assert cell.indices == (4, 3)
    assert isinstance(cell.indices, tuple)
    assert Cell(iter([4, 3])) == Cell(range(4, 2, -1)) == Cell((Number.FOUR, 3)) == cell
    assert type(Cell((Number.FOUR,)).indices[0]) is int
    assert cell.components == ("e", "4")


VALUES: list[Location] = [HAND, Cell((4, 3)), parse_cell("e4B"), Cell((26,)), Label("5c")]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_are_kept_by_copies(value: Location) -> None:
    copies = [copy.copy(value), copy.deepcopy(value)]
    copies += [pickle.loads(pickle.dumps(value, protocol)) for protocol in range(6)]
    for each in copies:
        assert each == value
        assert hash(each) == hash(value)
        assert (type(each), repr(each), str(each)) == (type(value), repr(value), str(value))
        assert (each is HAND) == (value is HAND)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_do_not_change(value: Location) -> None:
    for attribute in ("text", "indices", "is_hand", "is_board", "dimensions", "other"):
        with pytest.raises(AttributeError):
            setattr(value, attribute, 1)
    for attribute in ("text", "_components"):
        with pytest.raises(AttributeError):
            delattr(value, attribute)


def test_there_is_one_hand() -> None:
    assert Hand() is HAND
    assert parse_hand("*") is parse_location("*") is parse_cell("*", OPAQUE) is HAND
    assert (str(HAND), repr(HAND)) == ("*", "HAND")
    assert isinstance(HAND, Location)


def test_kinds_of_places() -> None:
    assert [(value.is_hand, value.is_board) for value in VALUES] == [
        (True, False),
        *[(False, True)] * 4,
    ]


def test_how_values_are_shown() -> None:
    shown = [(repr(value), str(value)) for value in VALUES]
    assert shown == [
        ("HAND", "*"),
        ("Cell((4, 3))", "e4"),
        ("Cell((4, 3, 1))", "e4B"),
        ("Cell((26,))", "aa"),
        ("Label('5c')", "5c"),
    ]


def test_equality_shows_a_mix_up() -> None:
    assert Cell((4, 3)) == parse_cell("e4")
    assert Label("e4") == parse_cell("e4", OPAQUE)
    others = [Cell((4, 3)), Cell((4,)), Cell((4, 3, 0)), Cell((3, 4)), Label("e4"), Label("E4")]
    others += [HAND, "e4", (4, 3), "*", None, 4]  # type: ignore[list-item]
    equal = [(a, b) for a in others for b in others if a == b]
    assert equal == [(a, a) for a in others]
    assert len({Cell((4, 3)), parse_cell("e4"), Label("e4"), Label("e4"), HAND, Hand()}) == 3


def test_cells_sort_by_index_and_labels_by_text() -> None:
    texts = ["a10", "aa1", "a2A", "z1", "a2", "b1", "a", "a2Z", "a2AA"]
    assert [str(cell) for cell in sorted(map(parse_cell, texts))] == [
        *("a", "a2", "a2A", "a2Z", "a2AA", "a10", "b1", "z1", "aa1")
    ]
    assert [label.text for label in sorted(map(Label, texts))] == sorted(texts)
    assert parse_cell("a2") < parse_cell("a10")
    assert Label("a10") < Label("a2")
    assert Cell((4, 3)) <= Cell((4, 3)) >= Cell((4, 2)) > Cell((4,))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((Cell((0,)), Label("a")), (Label("a"), HAND), (HAND, Cell((0,)))),
        *((Cell((0,)), (0,)), (Label("a"), "a"), (HAND, "*")),
    ],
)
def test_classes_do_not_sort_together(one: Location, other: Location) -> None:
    with pytest.raises(TypeError):
        sorted([one, other])  # type: ignore[type-var]
    with pytest.raises(TypeError):
        sorted([other, one])  # type: ignore[type-var]


ALPHABET = st.sampled_from("aaezAEZI0125 9*\n-\u00e9\uff14\u0661\u017f\ud800w")
LAYERS = st.lists(
    st.integers(0, 30) | st.integers(250, 260) | st.integers(0, 10**9), min_size=1, max_size=9
)
NEARLY = st.builds(
    lambda indices, place, letter: (
        (text := str(Cell(indices)))[: place % (len(text) + 1)]
        + letter
        + text[place % (len(text) + 1) :]
    ),
    LAYERS,
    st.integers(0, 30),
    ALPHABET | st.just(""),
)
TEXTS = st.text(ALPHABET, max_size=12) | NEARLY | st.text(max_size=6)
THINGS = st.one_of(
    *(st.none(), st.booleans(), st.integers(), st.floats(), st.binary(), st.complex_numbers()),
    *(st.lists(st.text()), st.dictionaries(st.text(), st.integers()), st.tuples(st.text())),
    st.from_type(type).map(lambda each: each),
)


@given(THINGS)
def test_nothing_but_strings_is_taken(thing: str) -> None:
    assert not any(judge(thing) for judge in JUDGES.values())
    for parse in ALL_PARSERS:
        with pytest.raises(TypeError):
            parse(thing)


@given(TEXTS)
def test_every_text_has_the_fault_the_rules_say(text: str) -> None:
    expected = {
        OPAQUE: oracle.opaque_fault(text),
        LAYERED: oracle.layered_fault(text, bounded=False),
        BOUNDED: oracle.layered_fault(text, bounded=True),
    }
    assert is_cell_opaque(text) is (expected[OPAQUE] is None)
    assert is_cell(text) is (expected[LAYERED] is None)
    assert is_cell_bounded(text) is (expected[BOUNDED] is None)
    for dialect, fault in expected.items():
        assert is_location(text, dialect) is (fault is None or text == "*")
        if fault is None:
            event(f"{dialect.value} is valid")
            made = parse_cell(text, dialect)
            assert str(made) == text
            assert parse_cell(str(made), dialect) == made
            continue
        event(f"{dialect.value} {fault[0]}")
        with pytest.raises(LocationError) as caught:
            parse_cell(text, dialect)
        assert (caught.value.kind, caught.value.spans[0].start) == fault
        assert caught.value.text == text


@given(LAYERS)
def test_indices_come_back(indices: list[int]) -> None:
    cell = cell_from_indices(*indices)
    components, end = oracle.components(str(cell))
    assert (end, len(components)) == (len(str(cell)), len(indices))
    assert [oracle.index(component) for component in components] == indices
    again = parse_cell(str(cell))
    assert again == cell
    assert hash(again) == hash(cell)
    assert again.indices == tuple(indices)


@given(st.lists(LAYERS, min_size=2, max_size=6))
def test_cells_sort_as_their_indices_do(lists: list[list[int]]) -> None:
    cells = [parse_cell(str(Cell(indices))) for indices in lists]
    assert [list(cell.indices) for cell in sorted(cells)] == sorted(lists)


def test_the_package_is_there_after_importing_alfil() -> None:
    code = "import sys, alfil\nbefore = 'alfil.locations' in sys.modules\n"
    code += "print(before, alfil.locations.parse_cell('e4'), alfil.LocationError.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False e4 LocationError\n"
    assert alfil.LocationError is LocationError


@pytest.mark.parametrize(
    ("text", "origin", "target"),
    [
        ("* → e4", "*", "e4"),
        ("e4 → *", "e4", "*"),
        ("e2 → e4", "e2", "e4"),
        ("e2->e4", "e2", "e4"),
        ("*e4", "*", "e4"),
        ("e4*", "e4", "*"),
        ("e2e4", "e2", "e4"),
        ("a1A → b2B", "a1A", "b2B"),
    ],
)
def test_a_move_is_two_locations(text: str, origin: str, target: str) -> None:
    found = alfil.locations.parse_move(text)
    assert tuple(map(str, found)) == (origin, target)
    assert alfil.locations.parse_move(alfil.locations.write_move(*found)) == found


@pytest.mark.parametrize(
    "text", ["", "e4", "**e4", "e4 →", "→ e4", "e4 e5", " * → e4", "* ⇒ e4", "* → *", "**"]
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(alfil.locations.LocationError):
        alfil.locations.parse_move(text)


def test_nothing_goes_from_hand_to_hand() -> None:
    with pytest.raises(alfil.locations.LocationError, match="from the hand to the hand"):
        alfil.locations.parse_move("* → *")
    with pytest.raises(alfil.locations.LocationError, match="from the hand to the hand"):
        alfil.locations.write_move(HAND, HAND)


def test_a_game_reads_moves_in_hand() -> None:
    game = alfil.load("hand_shogi").game()
    assert game.read_move("d3 → d4") == game.read_move("6g6f")
    assert game.read_move("T* -> e4") == game.read_move("T*5f")
    with pytest.raises(alfil.NotationError, match="ambiguous"):
        game.read_move("* → e4")
    for move in game.legal_moves[::7]:
        assert game.read_move(alfil.records.write_move(game, move, "arrow")) == move
    one = alfil.load("hand_shogi").game("4k4/9/9/9/9/9/9/9/4K4 b T 1")
    assert alfil.records.write_move(one, one.read_move("T*5e"), "arrow") == "* → e5"
    assert one.read_move("*e5") == one.read_move("* → e5") == one.read_move("T*5e")
