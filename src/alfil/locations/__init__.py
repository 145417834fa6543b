"""Locations: squares of any board in CELL, and the hand in HAND.

>>> parse_location("e4"), parse_location("*"), parse_location("5c", CellDialect.OPAQUE)
(Cell((4, 3)), HAND, Label('5c'))
"""

from alfil.locations.cell import (
    HAND,
    Cell,
    CellDialect,
    Hand,
    Label,
    LocationError,
    is_hand,
    parse_hand,
)
from alfil.locations.reading import (
    Location,
    cell_from_indices,
    from_chess,
    from_shogi,
    is_cell,
    is_cell_bounded,
    is_cell_opaque,
    is_location,
    parse_cell,
    parse_location,
    to_chess,
    to_shogi,
)

__all__ = [
    "HAND",
    "Cell",
    "CellDialect",
    "Hand",
    "Label",
    "Location",
    "LocationError",
    "cell_from_indices",
    "from_chess",
    "from_shogi",
    "is_cell",
    "is_cell_bounded",
    "is_cell_opaque",
    "is_hand",
    "is_location",
    "parse_cell",
    "parse_hand",
    "parse_location",
    "to_chess",
    "to_shogi",
]
