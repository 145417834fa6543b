"""Many games of one sort, played at once by the engine."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from os import PathLike
from random import Random
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, get_args

from alfil.errors import IllegalMove, reject, require_type
from alfil.game.compiled_variant import compile_variant
from alfil.game.engine_interface import GAMES, Struct
from alfil.library.library import Library, load
from alfil.locks import with_lock
from alfil.play.action_encoding import encoding_of, import_numpy
from alfil.play.game import Game
from alfil.play.outcomes import Outcome, outcome_of
from alfil.source import Source

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

# A game that has gone on for so many moves is broken off, unless another number is given.
DEFAULT_LONGEST = 500
MAX_GAMES, MAX_LONGEST = 1 << 16, 1 << 16
# A seed of a game has so many bits.
SEED_BITS = 48
# What numpy calls arrays of whole numbers and of truth values.
WHOLE = "biu"
NumberType = Literal["uint8", "float32"]
NUMBER_TYPES: tuple[NumberType, ...] = get_args(NumberType)


class Step(NamedTuple):
    """What a step came to, an entry for each game; the next step writes over the arrays.

    ``rewards`` are those of who has just moved: 1 if the move won, -1 if it lost, 0 otherwise.
    ``terminated`` games ended by their rules, ``truncated`` ones had ``longest`` moves.
    """

    rewards: NDArray[Any]
    terminated: NDArray[Any]
    truncated: NDArray[Any]


class VectorEnv:
    """``n`` games that the engine plays at once: one call steps all of them.

    ``game`` is a bundled game, a piece file, or a `Game`, with whose position each begins. Moves
    are the numbers of `Game.action`, observations the planes of `Game.planes`, as the side to move
    sees them. A game that has ended begins again at once; without ``auto_reset`` it has no legal
    move until `reset`. After ``longest`` moves a game is broken off. ``numbers`` is what
    observations consist of: "float32", or "uint8" for bytes. The same ``seed`` gives the same moves
    of `sample`. Threads may share it, as a `Game`: each call is done before the next begins.

    Raises `AlfilError` of kind "missing-extra" without numpy, `RuleError` of kind "no-actions" for
    a game whose moves cannot be numbered, and ValueError for less than one game or move, or too
    many.

    >>> import alfil
    >>> env = alfil.learning.VectorEnv(alfil.load("minishogi"), 3, seed=1)
    >>> env.observe().shape, env.mask().shape, env.mask().sum(axis=1).tolist()
    ((3, 34, 5, 5), (3, 696), [14, 14, 14])
    >>> step = env.step(env.sample())
    >>> step.rewards.tolist(), step.terminated.tolist(), env.sides.tolist()
    ([0.0, 0.0, 0.0], [False, False, False], [1, 1, 1])
    """

    def __init__(
        self,
        game: Library | Game,
        n: int,
        *,
        longest: int = DEFAULT_LONGEST,
        auto_reset: bool = True,
        numbers: NumberType = "float32",
        seed: int = 0,
    ) -> None:
        require_type(game, (Library, Game), "what is played is a Library or a Game")
        require_type(n, int, "a number of games")
        require_type(longest, int, "a number of moves")
        require_type(auto_reset, bool, "whether games begin again is True or False")
        if not (1 <= n <= MAX_GAMES and 1 <= longest <= MAX_LONGEST):
            raise ValueError(f"1 to {MAX_GAMES} games are played, of 1 to {MAX_LONGEST} moves")
        if numbers not in NUMBER_TYPES:
            raise ValueError(f"observations are of uint8 or float32, not {numbers!r}")
        self._numpy = import_numpy()
        self._lock = RLock()
        first = game if isinstance(game, Game) else game.game()
        self.variant, self.n, self.longest, self.numbers = first.variant, n, longest, numbers
        self._colours = first._alphabet.sides
        self._encoding = encoding_of(compile_variant(self.variant))
        self._allocate_games(first, auto_reset=auto_reset)
        self.reset(seed=seed)

    def _allocate_games(self, first: Game, *, auto_reset: bool) -> None:
        """Lay the games out, and the arrays that tell of them."""
        n, text = self.n, first.position_text()
        self._first = Game(self.variant, text)
        self._game_positions = [self._first._game_position.copy() for _ in range(n)]
        for each in self._game_positions:
            each.reserve(self.longest)
        room = self._game_positions[0].state.list_room
        places = [each.state.struct.memory.buffer_info()[0] for each in self._game_positions]
        names = ("listed", "results", "rewards", "terminated", "truncated", "sides")
        codes = ("i", "i", "f", "B", "B", "B")
        arrays = {name: array(code, [0]) * n for name, code in zip(names, codes, strict=True)}
        arrays |= {"positions": array("Q", places), "seeds": array("Q", [0]) * n}
        arrays["actions"] = array("i", [0]) * (n * room)
        numbers = {"games": n, "longest": self.longest, "room": room, "renewing": auto_reset}
        self._games = Struct(GAMES, numbers, arrays)
        tables = self._game_positions[0].state.tables
        bound = tables, self._encoding.struct, self._games
        engine = self._game_positions[0].engine
        self._call = {
            name: engine.bind(f"{name}_games", *bound)
            for name in ("begin", "step", "take_back", "observe", "mask", "sample")
        }
        view = self._numpy.frombuffer
        self._step = Step(
            view(arrays["rewards"], "float32"),
            view(arrays["terminated"], bool),
            view(arrays["truncated"], bool),
        )
        self.sides: NDArray[Any] = view(arrays["sides"], "uint8")
        self._results: NDArray[Any] = view(arrays["results"], "int32")

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled or copied: what it consists of is memory that the engine fills."""
        raise TypeError(
            "a VectorEnv is neither copied nor pickled: make another one where it is needed, "
            "with the same game and seed; game(number) gives a game of it, which can be both"
        )

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of the observation of one game: planes × ranks × files."""
        return self._encoding.shape

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What the planes hold, as in `Game.plane_names`."""
        return self._encoding.names

    @property
    def actions(self) -> int:
        """How many numbers of moves there are."""
        return self._encoding.actions

    @with_lock
    def reset(self, which: ArrayLike | None = None, *, seed: int | None = None) -> None:
        """Begin all games again, or those where ``which`` is true.

        With a ``seed`` all games begin, and `sample` chooses by it; each game has chances of its
        own, which do not depend on how many there are.
        """
        if seed is not None:
            require_type(seed, int, "a seed is a whole number")
            seeds = (Random(f"{seed} {g}").getrandbits(SEED_BITS) for g in range(self.n))
            self._games.arrays["seeds"][:] = array("Q", seeds)
            which = None
        marked = None if which is None else self._array_per_game(which, "bool")
        self._call["begin"](0 if marked is None else marked.ctypes.data)

    @with_lock
    def step(self, actions: ArrayLike) -> Step:
        """Make a move in every game; -1 makes none in its game.

        Raises `IllegalMove` where a number is not that of a legal move; then no game has moved.
        """
        entries = self._array_per_game(actions, "int32")
        wrong = self._call["step"](entries.ctypes.data)
        if wrong >= 0:
            message = f"no legal move of game {wrong} has the number {entries[wrong]}"
            reject(IllegalMove, "pattern", message, Source(str(entries[wrong]), "<move>"))
        return self._step

    @with_lock
    def take_back(self, plies: ArrayLike) -> None:
        """Take back so many moves of each game, or as many as it has had since it began.

        A program that searches goes down a line with `step` and returns with this; without
        ``auto_reset`` also from the end of a game. Raises ValueError for fewer moves than none.

        >>> import alfil
        >>> env = alfil.learning.make("dobutsu", 2, auto_reset=False, seed=1)
        >>> _ = env.step(env.sample()), env.step(env.sample())
        >>> env.take_back([1, 9])
        >>> env.sides.tolist()
        [1, 0]
        """
        entries = self._array_per_game(plies, "int32")
        if entries.min() < 0:
            raise ValueError("a number of moves is not below zero")
        self._call["take_back"](entries.ctypes.data)

    @with_lock
    def observe(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The positions of all games: an array of games × planes × ranks × files.

        ``out`` is written to if given: of that shape, in one piece, of bytes or of floats of 32
        bits; anything with DLPack will do, such as a tensor of torch on the CPU. In bytes nothing
        is more than 255. Raises TypeError for anything else.
        """
        array_out = self._output_array(out, (self.n, *self.shape), NUMBER_TYPES, self.numbers)
        floats = array_out.dtype.itemsize > 1
        self._call["observe"](int(floats), array_out.ctypes.data)
        return array_out if out is None else out

    @with_lock
    def mask(self, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """For each game, which numbers are those of legal moves: an array of games × actions.

        ``out`` is as for `observe`, of booleans or bytes.
        """
        array_out = self._output_array(out, (self.n, self.actions), ("bool", "uint8"), "bool")
        self._call["mask"](self.actions, array_out.ctypes.data)
        return array_out if out is None else out

    @with_lock
    def is_legal(self, actions: ArrayLike) -> NDArray[Any]:
        """For each game whether a number is that of a legal move."""
        entries = self._array_per_game(actions, "int64")
        inside = (entries >= 0) & (entries < self.actions)
        rows = self._numpy.arange(self.n)
        result: NDArray[Any] = inside & self.mask()[rows, entries * inside]
        return result

    @with_lock
    def sample(self) -> NDArray[Any]:
        """A legal move of each game by chance, all as likely; -1 where a game has ended.

        >>> import alfil
        >>> envs = [alfil.learning.make("chess", n, seed=7) for n in (1, 9)]
        >>> bool(envs[0].sample()[0] == envs[1].sample()[0])
        True
        """
        result: NDArray[Any] = self._numpy.empty(self.n, "int32")
        self._call["sample"](result.ctypes.data)
        return result

    @with_lock
    def outcomes(self) -> list[Outcome | None]:
        """How each game ended by the last step, as `Game.outcome` has it; None where it did not."""
        return [outcome_of(int(result), self._colours) for result in self._results]

    @with_lock
    def game(self, number: int) -> Game:
        """One of the games as a `Game` of its own, without the moves made so far.

        Raises ValueError for a number that none has.
        """
        require_type(number, int, "the number of a game")
        if not -self.n <= number < self.n:
            raise ValueError(f"there are {self.n} games, and none has the number {number}")
        copied = self._first.copy()
        copied._game_position = self._game_positions[number].copy()
        return Game(self.variant, copied.position_text())

    def _array_per_game(self, entries: ArrayLike, dtype: str) -> NDArray[Any]:
        """An array with an entry for each game, in one piece.

        Raises ValueError for a number that has no room in one of that sort.
        """
        numpy = self._numpy
        there = numpy.asarray(entries)
        if there.shape != (self.n,):
            raise TypeError(f"an entry for each game: an array of shape ({self.n},)")
        if there.dtype.kind not in WHOLE and dtype != "bool":
            raise TypeError("an entry for each game is a whole number of at most 64 bits")
        result: NDArray[Any] = numpy.ascontiguousarray(there, dtype=dtype)
        if (result != there).any() and dtype != "bool":
            raise ValueError("an entry is too large")
        return result

    def _numpy_view_of(self, out: object) -> NDArray[Any]:
        """The memory of an array of another program; TypeError where it is not shared."""
        if not hasattr(out, "__dlpack__"):
            raise TypeError(f"what is written to is an array, not {out!r:.60}")
        try:
            result: NDArray[Any] = self._numpy.from_dlpack(out)
        except (AttributeError, BufferError, RuntimeError, ValueError) as error:
            raise TypeError(f"the memory of this array cannot be written to: {error}") from error
        return result

    def _output_array(
        self,
        out: NDArray[Any] | None,
        shape: tuple[int, ...],
        dtypes: tuple[str, ...],
        default_dtype: str,
    ) -> NDArray[Any]:
        """What is written to, as an array of one of these sorts of numbers; a new one for None."""
        if out is None:
            result: NDArray[Any] = self._numpy.empty(shape, default_dtype)
            return result
        numpy = self._numpy
        result = out if isinstance(out, numpy.ndarray) else self._numpy_view_of(out)
        flags = result.flags
        whole = result.shape == shape and flags.c_contiguous and flags.aligned and flags.writeable
        if not whole or not result.dtype.isnative or result.dtype.name not in dtypes:
            kinds = " or ".join(dtypes)
            raise TypeError(f"what is written to must be an array of {kinds} of shape {shape}")
        return result


def make(
    name: str | PathLike[str],
    n: int = 1,
    *,
    pieces: Mapping[str, str] | None = None,
    **options: Any,  # noqa: ANN401 - those of `VectorEnv`
) -> VectorEnv:
    """``n`` games of a bundled set or of a piece file, by its name.

    ``pieces`` gives some of them other moves, as for `alfil.load`; the options are those of
    `VectorEnv`. Raises what `alfil.load` and `VectorEnv` raise.

    >>> import alfil
    >>> alfil.learning.make("hand_shogi", 8).shape
    (48, 9, 9)
    """
    return VectorEnv(load(name, pieces), n, **options)
