"""Frozen dataclasses that are quick to make, for those that every command makes before it works.

The standard library writes six functions for each and compiles every one by itself; for some sixty
classes that was half of the time that a short command took. Only one is written here.
"""

from __future__ import annotations

from collections import namedtuple
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 - offered from here
    from functools import cached_property as cached_property  # noqa: PLC0414 - offered from here
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - offered from here
else:
    from dataclasses import dataclass as standard

    def dataclass(*, frozen, slots=False, kw_only=False):  # noqa: ANN001, ANN201 - see above
        """What `dataclasses.dataclass` makes with these options, which freezes.

        >>> @dataclass(frozen=True, slots=True)
        ... class Pair:
        ...     left: int
        ...     right: int = 2
        >>> Pair(1), Pair(1) == Pair(1, 2), hash(Pair(1)) == hash(Pair(1, right=2))
        (Pair(left=1, right=2), True, True)
        >>> Pair(1).left = 3
        Traceback (most recent call last):
        ...
        dataclasses.FrozenInstanceError: cannot assign to field 'left'
        """
        assert frozen
        plain = standard(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
        return lambda cls: _add_dataclass_methods(plain(cls))

    class _Naming(type):
        """Makes the class below, and of each class written under it a named tuple."""

        def __new__(mcs, name, bases, written):  # noqa: ANN001, ANN204 - see above
            if not bases:
                return super().__new__(mcs, name, bases, written)
            kinds = written.pop("__annotations__", {})
            defaults = [written.pop(each) for each in kinds if each in written]
            made = namedtuple(name, kinds, defaults=defaults, module=written.pop("__module__"))
            made.__annotations__ = made.__new__.__annotations__ = kinds
            for each, value in written.items():
                setattr(made, each, value)
            return made

    class cached_property:
        """What `functools.cached_property` is from Python 3.12 on: no other thread is waited for.

        >>> class Text:
        ...     words = cached_property(lambda self: print("counted") or 2)
        >>> text = Text()
        >>> text.words + text.words
        counted
        4
        """

        def __init__(self, find) -> None:  # noqa: ANN001 - see above
            self._find = find
            self.__doc__ = find.__doc__

        def __set_name__(self, owner, name) -> None:  # noqa: ANN001 - see above
            self._name = name

        def __get__(self, instance, owner=None):  # noqa: ANN001, ANN204 - see above
            if instance is None:
                return self
            result = vars(instance)[self._name] = self._find(instance)
            return result

    class NamedTuple(metaclass=_Naming):
        """What `typing.NamedTuple` makes, without a look at the kinds of its fields.

        >>> class Pair(NamedTuple):
        ...     left: int
        ...     right: int = 2
        >>> Pair(1), Pair(1) == (1, 2), Pair(1)._replace(left=3).left
        (Pair(left=1, right=2), True, 3)
        """


_set_attribute = object.__setattr__


def _add_dataclass_methods(cls: Any) -> Any:  # noqa: ANN401 - a class like no other
    known = fields(cls)
    keyword_only = [each for each in known if each.kw_only]
    positional = [_parameter_code(each) for each in known if not each.kw_only]
    positional += ["*", *map(_parameter_code, keyword_only)] if keyword_only else []
    lines = [
        f"def __init__({', '.join(['self', *positional])}):",
        *(f" {_setter_code(cls, each)}, {_value_code(each)})" for each in known),
        " self.__post_init__()" if hasattr(cls, "__post_init__") else " pass",
    ]
    setters = {
        f"_set_{each.name}": slot.__set__ for each in known if (slot := _slot_of_field(cls, each))
    }
    values = {f"_{each.name}": each.default for each in known}
    factories = {f"_new_{each.name}": each.default_factory for each in known}
    made: dict[str, Any] = {}
    exec(
        "\n".join(lines),
        {"_set_attribute": _set_attribute, "MISSING": MISSING} | setters | values | factories,
        made,
    )
    made["__init__"].__annotations__ = {each.name: each.type for each in known}
    made |= _comparison_methods([each.name for each in known if each.compare])
    made |= {
        "__setattr__": _reject_change,
        "__delattr__": _reject_change,
        "__getstate__": _state,
        "__setstate__": _restore_state,
    }
    if cls.__repr__ is object.__repr__:
        made["__repr__"] = _repr
    for name, method in made.items():
        if vars(cls).get(name) is None:
            setattr(cls, name, method)
    return cls


def _slot_of_field(cls: Any, field: Field[Any]) -> MemberDescriptorType | None:  # noqa: ANN401 - see above
    """The slot of a field, in a class that has them."""
    slot = getattr(cls, field.name, None)
    return slot if isinstance(slot, MemberDescriptorType) else None


def _setter_code(cls: Any, field: Field[Any]) -> str:  # noqa: ANN401 - a class like no other
    """The start of a call that sets a field despite `_reject_change`; slots are twice as fast."""
    return (
        f"_set_{field.name}(self"
        if _slot_of_field(cls, field)
        else f"_set_attribute(self, {field.name!r}"
    )


def _comparison_methods(names: list[str]) -> dict[str, Any]:
    """How objects of one class are compared, by these fields."""
    key: Any = attrgetter(*names) if names else type

    def is_equal(self: Any, other: Any) -> Any:  # noqa: ANN401 - any of the classes
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:  # noqa: ANN401 - any of the classes
        return hash(key(self))

    return {"__eq__": is_equal, "__hash__": hashed}


def _parameter_code(field: Field[Any]) -> str:
    """A field in the list of parameters, with its default."""
    defaults = field.default is not MISSING or field.default_factory is not MISSING
    return f"{field.name}=_{field.name}" if defaults else field.name


def _value_code(field: Field[Any]) -> str:
    """What a field is set to."""
    if field.default_factory is MISSING:
        return field.name
    return f"_new_{field.name}() if {field.name} is MISSING else {field.name}"


def _repr(self: Any) -> str:  # noqa: ANN401 - any of the classes
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _reject_change(_self: object, name: str, *value: object) -> NoReturn:
    act = "assign to" if value else "delete"
    raise FrozenInstanceError(f"cannot {act} field {name!r}")


def _state(self: object) -> object:
    """What is pickled; without it protocols 0 and 1 refuse whatever has slots."""
    return object.__getstate__(self)


def _restore_state(self: object, state: tuple[None, dict[str, object]] | dict[str, object]) -> None:
    """Unpickle what `_state` gives, in spite of `_reject_change`."""
    for name, value in (state[1] if isinstance(state, tuple) else state).items():
        _set_attribute(self, name, value)
