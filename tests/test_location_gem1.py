"""Every call in the readme of the CELL gem 1.0.0, in the readme's order."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping

import pytest

from alfil.locations import HAND, Label, LocationError, gem1
from alfil.locations.gem1 import Location, is_valid, location


# What the readme has its reader write: the helpers of its examples.
def valid_chess_square(place: Location) -> bool:
    text = str(place)
    if not place.is_board or len(text) != 2:
        return False
    return "a" <= text[0] <= "h" and "1" <= text[1] <= "8"


def valid_go_position(place: Location, board_size: int = 19) -> bool:
    text = str(place)
    if not place.is_board or len(text) not in {2, 3}:
        return False
    return "A" <= text[0] <= chr(ord("A") + board_size - 1) and 1 <= int(text[1:]) <= board_size


def safe_parse(text: str) -> Location | None:
    return Location.parse(text) if is_valid(text) else None


def pieces_on_file(places: Mapping[str, Location], file: str) -> list[str]:
    return [
        piece for piece, place in places.items() if place.is_board and str(place).startswith(file)
    ]


class SimpleMove:
    def __init__(self, start: str, end: str) -> None:
        self.start = Location.parse(start)
        self.end = Location.parse(end)

    def facts(self) -> tuple[bool, bool, bool, bool, str]:
        """From the board, to the board, a drop, a capture, and the text."""
        return (
            self.start.is_board,
            self.end.is_board,
            self.start.is_hand and self.end.is_board,
            self.start.is_board and self.end.is_board,
            f"{self.start}{self.end}",
        )


def test_creating_and_converting() -> None:
    assert str(Location.parse("e4")) == "e4"
    assert Location.parse("e4").coordinate == "e4"
    assert str(Location.parse("*")) == "*"
    assert Location("e4") == location("e4") == Location.parse("e4")
    assert repr(Location("e4")) == "Location('e4')"


def test_types_of_location() -> None:
    board, hand = Location.parse("e4"), Location.parse("*")
    assert (board.is_board, board.is_hand) == (True, False)
    assert (hand.is_board, hand.is_hand) == (False, True)


def test_chess() -> None:
    assert [str(Location.parse(text)) for text in ("a1", "e4", "h8")] == ["a1", "e4", "h8"]
    assert valid_chess_square(Location.parse("e4")) is True
    assert valid_chess_square(Location.parse("z9")) is False
    assert valid_chess_square(Location.parse("*")) is False


def test_shogi() -> None:
    places = [Location.parse(text) for text in ("9a", "5e", "1i", "*")]
    groups = {hand: [str(p) for p in places if p.is_hand is hand] for hand in (False, True)}
    assert groups == {False: ["9a", "5e", "1i"], True: ["*"]}


def test_go() -> None:
    places = {text: Location.parse(text) for text in ("A1", "T19", "K10")}
    assert all(place.is_board for place in places.values())
    assert valid_go_position(places["A1"]) is True
    assert valid_go_position(places["K10"]) is True
    # The readme's helper counts 19 letters from A, which end at S; Go boards have no I.
    assert valid_go_position(places["T19"]) is False


@pytest.mark.parametrize("text", ["A3a", "center", "NE", "Q3R7"])
def test_custom_coordinates(text: str) -> None:
    assert Location.parse(text).is_board


def test_collections() -> None:
    places = [Location.parse(text) for text in ("e4", "d5", "*", "a1")]
    assert [str(place) for place in places if place.is_board] == ["e4", "d5", "a1"]
    assert [str(place) for place in places if place.is_hand] == ["*"]
    assert [str(place) for place in places] == ["e4", "d5", "*", "a1"]


def test_pieces_on_a_file() -> None:
    places = {
        "white_king": Location.parse("e1"),
        "black_king": Location.parse("e8"),
        "white_rook": Location.parse("a1"),
        "captured_pieces": Location.parse("*"),
    }
    assert pieces_on_file(places, "e") == ["white_king", "black_king"]


def test_validation() -> None:
    texts = ("e4", "*", "", "e-4", "@", None)
    assert [is_valid(text) for text in texts] == [True, True, False, False, False, False]
    assert safe_parse("e-4") is None
    assert safe_parse("e4") == Location("e4")


@pytest.mark.parametrize(
    ("given", "shown", "kind", "span"),
    [
        ("", "''", "empty", (0, 0)),
        ("e-4", "'e-4'", "character", (1, 2)),
        ("e4\n", r"'e4\n'", "character", (2, 3)),
        ("**", "'**'", "character", (1, 2)),
        (None, "None", "character", (0, 4)),
        (b"e4", "b'e4'", "character", (0, 5)),
        (["*"], "['*']", "character", (0, 5)),
        (42, "42", "character", (0, 2)),
    ],
)
def test_errors(given: str, shown: str, kind: str, span: tuple[int, int]) -> None:
    for make in (Location, Location.parse, location):
        with pytest.raises(LocationError) as caught:
            make(given)
        error = caught.value
        assert str(error) == f"Invalid CELL coordinate: {shown}"
        assert (error.kind, error.spans) == (kind, (span,))
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert is_valid(given) is False


def test_moves() -> None:
    assert SimpleMove("e4", "e5").facts() == (True, True, False, True, "e4e5")
    assert SimpleMove("*", "e4").facts() == (False, True, True, False, "*e4")


class Named(Location):
    __slots__ = ()


class Text(str):
    __slots__ = ()


def test_equality_and_hash() -> None:
    assert len({Location("e4"), Location("e4")}) == 1
    assert {Location("e4"): 1}[Location("e4")] == 1
    assert Location("e4") != Location("E4")
    assert Location("e4") != "e4"
    assert Location("e4") != Label("e4")
    assert Location("*") != HAND
    assert Named("e4") == Location("e4") == Named.parse("e4")
    assert {Named("e4"), Location("e4")} == {Location("e4")}
    assert repr(Named.parse("e4")) == "Named('e4')"


def test_locations_are_values() -> None:
    place = Location("e4")
    with pytest.raises(AttributeError):
        place.coordinate = "e5"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        place.other = 1  # type: ignore[attr-defined]
    for each in (copy.copy(place), copy.deepcopy(place), pickle.loads(pickle.dumps(place))):
        assert each == place
        assert type(each) is Location
    assert type(Location(Text("e4")).coordinate) is str


def test_the_way_to_the_rest_of_the_package() -> None:
    assert Location("e4").to_location() == Label("e4")
    assert Location("*").to_location() is HAND
    assert gem1.LocationError is LocationError
