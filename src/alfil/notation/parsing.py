"""The one place that knows Lark: texts are parsed here, by the tables that Lark makes of a grammar.

Lark makes them once. They are kept (`alfil.data_files.cached`), and the parser that runs on them is
here, so that a program which only reads texts never imports Lark: that takes longer than reading.
The parser is Lark's own for LALR(1) with a contextual lexer, for the few options that our grammars
use; what it reads, and where it stops, is compared with Lark by the tests. Paths are plain strings
here, because pathlib takes a while to load.

A text with mistakes is read all the same, to find the others: the notation names the first one and
takes it out or puts it right, what is left is parsed again, and so on (`parse_with_recovery`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any, Generic, TypeAlias, TypeVar

from alfil.data_files import MessageTemplate, load_grammar, load_or_make, read_table
from alfil.errors import Diagnostic
from alfil.frozen_dataclasses import NamedTuple
from alfil.source import Span

Tree = TypeVar("Tree")

END_OF_TEXT = "$END"
# So many places of a parser are kept, and forgotten all at once.
MAX_CACHED_STATES = 2048


class GrammarError(Exception):
    """The text does not fit the grammar.

    ``start`` and ``end`` are where it stopped fitting, counted in code points; at the end of the
    text both are its length. ``expected`` are the names of what could have stood there. ``what`` is
    the name of a diagnostic where a builder refuses what fits the grammar.
    """

    def __init__(self, start: int, end: int, expected: frozenset[str], what: str = "") -> None:
        self.start = start
        self.end = end
        self.expected = expected
        self.what = what
        super().__init__(start, end, expected, what)


class Token(str):
    """A sign of a text: what the grammar calls it, and where it starts."""

    __slots__ = ("start", "type")
    type: str
    start: int

    @property
    def span(self) -> Span:
        """Where it stands."""
        return Span(self.start, self.start + len(self))


class GrammarRule(NamedTuple):
    """A rule of a grammar without alternatives.

    A method of that ``name`` makes a value of its ``size`` parts; without one it is their list.
    ``kept_values`` are the parts that count, by number, with whether one is a list to be spread
    out; None means all, as they are. A ``single`` part may stand for the whole.
    """

    origin: str
    size: int
    name: str
    single: bool
    kept_values: tuple[tuple[int, bool], ...] | None


class TokenScanner(NamedTuple):
    """Finds the next sign, of those that may come where the parser is, the first that fits.

    ``signs`` are their names and patterns, in the order they are tried. ``words`` are the texts of
    a kind of sign that are signs of another kind.
    """

    signs: tuple[tuple[str, str], ...]
    words: dict[str, dict[str, str]]
    allowed: frozenset[str]

    def match_token(self, text: str, at: int) -> tuple[str, int] | None:
        """The name of the sign at a place, and its end.

        One pattern after the other: together they take long to compile, and few are ever tried.
        """
        for name, pattern in self.signs:
            match = _compile_pattern(pattern).match(text, at)
            if match:
                return name, match.end()
        return None


_compile_pattern = cache(re.compile)


class ParseTables:
    """What Lark has made of a grammar, all of it plain data.

    For each state of the parser and each name of a sign or rule, ``states`` has the state that
    comes next, or ~number of the rule that is complete there. The last of the ``scanners`` knows
    all signs; each state has the number of its own in ``scanned``. What begins with one of the
    ``doubtful`` texts may be a sign of two kinds.

    All scanners try signs in one order, but for texts that are signs of two kinds. So where the
    last one finds a sign that may come there, the state's own would find the same, and is asked
    only where it does not.
    """

    def __init__(
        self,
        states: list[dict[str, int]],
        rules: list[tuple[Any, ...]],
        scanners: list[tuple[Any, ...]],
        scanned: list[int],
        ignored: frozenset[str],
        ends: tuple[int, int],
    ) -> None:
        self.states = states
        self.rules = [GrammarRule(*each) for each in rules]
        self._ignored = ignored
        self.start, self.end = ends
        *result, self._any = [TokenScanner(*each) for each in scanners]
        self._scanners = [result[number] for number in scanned]
        self._known = [result[number].allowed | ignored for number in scanned]
        self.doubtful = tuple(text for words in self._any.words.values() for text in words)
        self.initials = frozenset(text[0] for text in self.doubtful)

    @cached_property
    def match_any_token(self) -> Callable[[str, int], re.Match[str] | None]:
        """The sign at a place, wherever the parser is."""
        return re.compile("|".join(f"(?P<{name}>{each})" for name, each in self._any.signs)).match

    def match_token_in_state(self, text: str, at: int, state: int) -> tuple[str, int]:
        """The name of the sign at a place as a state has it, "" if ignored, and where it ends."""
        scanner, result = self._scanners[state], None
        match = self.match_any_token(text, at)
        if match and match.lastgroup in self._known[state]:
            result = match.lastgroup or "", match.end()
        if result is None or text.startswith(self.doubtful, at):
            result = scanner.match_token(text, at)
        if result is None:
            raise GrammarError(at, match.end() if match else at + 1, scanner.allowed)
        kind, end = result
        if kind in self._ignored:
            return "", end
        return scanner.words.get(kind, {}).get(text[at:end], kind), end


# A rule that is complete: its size, which parts are kept, whether one of them may stand for the
# whole, and what makes a value of them.
CompletedRule: TypeAlias = tuple[
    int, tuple[tuple[int, bool], ...] | None, bool, Callable[..., object] | None
]


class _ParserStackNode:
    """Where the parser may be: in a state, with others below it.

    ``moves`` has, for the name of a sign, the rules that are complete before it and the place after
    it; ``over`` the places on top of this one by their states.
    """

    __slots__ = ("below", "moves", "over", "state")

    def __init__(self, state: int, below: _ParserStackNode | None) -> None:
        self.state = state
        self.below = below
        self.moves: dict[str | None, tuple[tuple[CompletedRule, ...], _ParserStackNode]] = {}
        self.over: dict[int, _ParserStackNode] = {}


class Parser(Generic[Tree]):
    """A parser for one grammar, whose rules are turned into values by a builder's methods.

    What a sign leads to depends on the states passed and not completed, and texts are much alike:
    so these are kept as a tree of places, with what each sign has led to there.
    """

    def __init__(self, grammar: str, builder: object, start: str) -> None:
        self._tables = _load_tables(grammar, start)
        # What begins with an underscore is a list to be spread out, and no value.
        makers = [
            None if rule.name.startswith("_") else getattr(builder, rule.name, None)
            for rule in self._tables.rules
        ]
        self._completed: list[CompletedRule] = [
            (rule.size, rule.kept_values, rule.single, make)
            for rule, make in zip(self._tables.rules, makers, strict=True)
        ]
        self._count = 0
        self._bottom = _ParserStackNode(self._tables.start, None)

    def parse(self, text: str) -> Tree:
        """What the builder makes of the text; `GrammarError` where it does not fit."""
        if self._count > MAX_CACHED_STATES:
            self._count, self._bottom = 0, _ParserStackNode(self._tables.start, None)
        tables, place = self._tables, self._bottom
        any_sign, initials = tables.match_any_token, tables.initials
        values: list[Any] = []
        at, length = 0, len(text)
        while at < length:
            match, led = any_sign(text, at), None
            if match and (text[at] not in initials or not text.startswith(tables.doubtful, at)):
                kind, end = match.lastgroup or "", match.end()
                led = place.moves.get(kind)
            if led is None:
                kind, end = tables.match_token_in_state(text, at, place.state)
            if kind:
                token = Token(text[at:end])
                token.type, token.start = kind, at
                done, place = (
                    led or place.moves.get(kind) or self._find_transition(place, token, values)
                )
                if done:
                    _apply_rules(done, values)
                values.append(token)
            at = end
        led = place.moves.get(END_OF_TEXT)
        if led is None:
            token = Token()
            token.type, token.start = END_OF_TEXT, at
            led = self._find_transition(place, token, values)
        _apply_rules(led[0], values)
        result: Tree = values[-1]
        return result

    def _find_transition(
        self, place: _ParserStackNode, sign: Token, values: list[Any]
    ) -> tuple[tuple[CompletedRule, ...], _ParserStackNode]:
        """What a sign leads to in a place; `GrammarError` where it does not fit."""
        tables, here = self._tables, place
        done: list[CompletedRule] = []
        while (action := tables.states[here.state].get(sign.type)) is not None:
            if action >= 0:
                here = self._get_or_push_parser_state(here, action)
                break
            rule = tables.rules[~action]
            for _ in range(rule.size):
                assert here.below
                here = here.below
            here = self._get_or_push_parser_state(here, tables.states[here.state][rule.origin])
            if not (rule.single and rule.size == 1 and rule.kept_values is None):
                done.append(self._completed[~action])
            if sign.type == END_OF_TEXT and here.state == tables.end:
                break
        else:
            _apply_rules(done, values)  # what a builder refuses comes first
            expected = frozenset(name for name in tables.states[here.state] if name.isupper())
            raise GrammarError(*sign.span, expected)
        place.moves[sign.type] = result = tuple(done), here
        return result

    def _get_or_push_parser_state(self, below: _ParserStackNode, state: int) -> _ParserStackNode:
        result = below.over.get(state)
        if result is None:
            result = below.over[state] = _ParserStackNode(state, below)
            self._count += 1
        return result


def _apply_rules(completed_rules: Iterable[CompletedRule], values: list[Any]) -> None:
    """Put what some rules make of the last values in their place."""
    for size, counted, single, make in completed_rules:
        before = len(values) - size
        parts = values[before:]
        if counted is not None:
            whole, parts = parts, []
            growing = bool(counted) and counted[0][1]
            if growing:
                # It is nobody else's: to copy it each time would take the square of its length.
                parts = whole[counted[0][0]]
            for number, spread in counted[growing:]:
                if spread:
                    parts += whole[number]
                else:
                    parts.append(whole[number])
            if single and len(parts) == 1:
                values[before:] = parts
                continue
        values[before:] = (make(*parts) if make else parts,)


@cache
def _load_tables(grammar: str, start: str) -> ParseTables:
    """The tables of a grammar: those that were kept, or made by Lark."""
    text = load_grammar(grammar)
    made_from = (text.encode(), *_contents_of_table_sources())
    return ParseTables(
        *load_or_make(f"{grammar}.{start}", made_from, lambda: _make_tables(text, start))
    )


def _contents_of_table_sources() -> Iterator[bytes]:
    """What tables depend on besides the grammar: this file, and that with the version of Lark."""
    lark = find_spec("lark")
    for path in (__file__, lark and lark.origin):
        if path:
            # In an archive there are no such files, and nothing is kept.
            with suppress(OSError), open(path, "rb") as file:
                yield file.read()


def _make_tables(grammar: str, start: str) -> tuple[Any, ...]:
    """What `ParseTables` are made of, by Lark; nothing but what Python writes to its own files."""
    from lark import Lark

    lark: Any = Lark(grammar, parser="lalr", start=start, maybe_placeholders=False)
    table, lexer = lark.parser.parser._parse_table, lark.parser.lexer
    numbers = {rule: number for number, rule in enumerate(lark.rules)}
    states = [
        {str(name): ~numbers[to] if to in numbers else to for name, (_, to) in actions.items()}
        for _, actions in sorted(table.states.items())
    ]
    distinct = list(dict.fromkeys(lexer.lexers.values()))
    scanned = [distinct.index(lexer.lexers[state]) for state in range(len(states))]
    scanners = [_scanner_data(each) for each in (*distinct, lexer.root_lexer)]
    ends = table.start_states[start], table.end_states[start]
    return (
        states,
        [*map(_rule_data, lark.rules)],
        scanners,
        scanned,
        frozenset(lark.ignore_tokens),
        ends,
    )


def _rule_data(rule: Any) -> tuple[Any, ...]:  # noqa: ANN401 - Lark's
    options = rule.options
    kept_values = tuple(
        (number, not symbol.is_term and symbol.name.startswith("_"))
        for number, symbol in enumerate(rule.expansion)
        if not (symbol.is_term and symbol.filter_out)
    )
    return (
        str(rule.origin.name),
        len(rule.expansion),
        str(rule.alias or options.template_source or rule.origin.name),
        bool(options.expand1 and not rule.alias),
        None
        if kept_values == tuple((number, False) for number in range(len(rule.expansion)))
        else kept_values,
    )


def _scanner_data(lexer: Any) -> tuple[Any, ...]:  # noqa: ANN401 - Lark's
    signs = lexer.scanner.terminals
    words = {
        kind: {each.pattern.value: str(each.name) for each in unless.scanner.terminals}
        for kind, unless in lexer.callback.items()
    }
    allowed = frozenset(str(each.name) for each in signs) - lexer.ignore_types
    patterns = tuple((str(each.name), str(each.pattern.to_regexp())) for each in signs)
    return patterns, words, allowed or frozenset({"<END-OF-FILE>"})


# Findings told of one text; who has more reads the first ones first.
MOST_DIAGNOSTICS = 20

# Characters that are read of a text, with those that are read again behind mistakes: enough for all
# that are told of what people write, and for the longest text once.
MOST_CHARACTERS_READ = 11_000


def unique_sorted_diagnostics(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Each diagnostic once, in the order of the text."""
    once = {(diagnostic.kind, diagnostic.spans): diagnostic for diagnostic in diagnostics}
    return sorted(once.values(), key=lambda diagnostic: diagnostic.spans[:1])


class TextUnderRepair(NamedTuple):
    """A text some mistakes of which are cut out or put right.

    ``places`` says where each character came from, and the end; ``cuts`` are the places of the cuts
    in the text as it is now, and ``torn_positions`` of those that have damaged what stands before
    them.
    """

    text: str
    places: Sequence[int]
    cuts: tuple[int, ...] = ()
    torn_positions: frozenset[int] = frozenset()

    def without_part(self, part: Span, *, torn: bool = False) -> TextUnderRepair:
        """The text with a part cut out.

        >>> draft = TextUnderRepair("W03", range(4)).without_part(Span(1, 2))
        >>> draft.text, list(draft.places), draft.cuts
        ('W3', [0, 2, 3], (1,))
        """
        start, end = part

        def moved(place: int) -> int:
            return place if place < start else max(start, place - (end - start))

        return TextUnderRepair(
            self.text[:start] + self.text[end:],
            (*self.places[:start], *self.places[end:]),
            (start, *map(moved, self.cuts)),
            frozenset(map(moved, self.torn_positions)) | ({start} if torn else frozenset()),
        )

    def is_damaged(self, part: Span) -> bool:
        """Whether a part is not what was written, so that nothing more can be said of it."""
        return part.end in self.torn_positions or any(
            part.start < cut < part.end for cut in self.cuts
        )

    def diagnostic_in_original(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic about this text as one about the text it was made from."""
        return replace(diagnostic, spans=tuple(map(self._original_span, diagnostic.spans)))

    def _original_span(self, span: Span) -> Span:
        start, end = span
        return Span(
            self.places[start], self.places[end - 1] + 1 if end > start else self.places[start]
        )


class MistakePattern(NamedTuple):
    """A row of a table of mistakes: how one looks, and what is said of it.

    The pattern marks with ``at`` what is wrong; messages and hints may quote its groups. Where
    there is a ``replacement``, that takes the place of what is wrong.
    """

    pattern: re.Pattern[str]
    template: MessageTemplate
    replacement: str = ""


def load_mistake_patterns(table: str, parts: Mapping[str, str]) -> tuple[MistakePattern, ...]:
    """The rows of a table beside the grammars; names in angle brackets stand for the parts."""

    def drawn(picture: str) -> str:
        return re.sub(r"<([A-Z_]+)>", lambda part: drawn(parts[part[1]]), picture)

    rows = read_table("grammars", table)
    return tuple(
        MistakePattern(
            re.compile(drawn(picture), re.ASCII), MessageTemplate(kind, message, hint), *replacement
        )
        for kind, picture, message, hint, *replacement in rows
    )


def parse_with_recovery(
    parse: Callable[[str], Tree],
    draft: TextUnderRepair,
    error: GrammarError,
    diagnose: Callable[[TextUnderRepair, GrammarError], tuple[Diagnostic | None, TextUnderRepair]],
) -> tuple[Tree | None, TextUnderRepair, list[Diagnostic]]:
    """What can be parsed of a text without its mistakes, the text left, and the mistakes.

    ``error`` is where the text stopped fitting. ``diagnose`` names a mistake, or has nothing new to
    say, and gives the text to go on with. There is no tree after `MOST_DIAGNOSTICS`, after
    `MOST_CHARACTERS_READ`, or where a text stays as it is.
    """
    diagnostics: list[Diagnostic] = []
    left = MOST_CHARACTERS_READ - len(draft.text)
    while len(diagnostics) < MOST_DIAGNOSTICS:
        diagnostic, following = diagnose(draft, error)
        if diagnostic is not None:
            diagnostics.append(draft.diagnostic_in_original(diagnostic))
        left -= len(following.text)
        if following == draft or left < 0:
            break
        draft = following
        try:
            return parse(draft.text), draft, diagnostics
        except GrammarError as another:
            error = another
    return None, draft, diagnostics
