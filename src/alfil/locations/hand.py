"""HAND 1.0.0: the one location off the board, written ``*``.

It says neither whose reserve it is nor what lies in it; the move around it does.
"""

from __future__ import annotations

from typing import final

from alfil.locations.errors import empty_input, found, plain, refusal, string

_SIGN = "*"


@final
class Hand:
    """The hand. There is one, `HAND`; ``str(HAND)`` is ``*``.

    >>> Hand() is HAND, str(HAND), HAND == "*"
    (True, '*', False)
    """

    __slots__ = ()
    _one: Hand | None = None

    def __new__(cls) -> Hand:
        """The one instance."""
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    @property
    def is_hand(self) -> bool:
        """True."""
        return True

    @property
    def is_board(self) -> bool:
        """False."""
        return False

    def __str__(self) -> str:
        return _SIGN

    def __repr__(self) -> str:
        return "HAND"

    def __reduce__(self) -> str:
        return "HAND"


HAND = Hand()


def is_hand(given: object) -> bool:
    r"""Whether this is the string ``*``; False, never an error, for anything else.

    >>> is_hand("*"), is_hand("*\n"), is_hand(None)
    (True, False, False)
    """
    return plain(given) == _SIGN


def parse_hand(text: str) -> Hand:
    """`HAND`, for the string ``*``.

    Raises `LocationError` (``empty``, ``hand``) for other strings and `TypeError` for anything
    else.

    >>> parse_hand("*")
    HAND
    """
    given = string(text)
    if given == _SIGN:
        return HAND
    if not given:
        raise refusal(empty_input(), given)
    start = len(_SIGN) if given.startswith(_SIGN) else 0
    hint = "the hand is * and nothing else"
    raise refusal(found("hand", "not a HAND location", start, start + 1, hint), given)
