"""Reads a piece file with its includes to a `PieceFile`, or to all its errors.

First the statements are put together, then the set-up and the hands, then it is asked whether what
the file says fits together: rules, fields, hands, names and the board. What contradicts itself is
an error. What changes nothing is a warning, for its author expected something of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from alfil.errors import AlfilError, PieceFileError, did_you_mean_or_list
from alfil.frozen_dataclasses import NamedTuple
from alfil.game.variant import (
    FIRST,
    OPENING_REGION,
    SECOND,
    WALLS_REGION,
    ZONE_REGION,
    Area,
    Region,
    Rules,
    StartingPiece,
    region_squares,
)
from alfil.garbage_collection import without_garbage_collection
from alfil.library.constraints import PREDICATES
from alfil.library.field_parsers import (
    AREA_FIELDS,
    CODE_FIELDS,
    LAST_RANK,
    MOVES_AREA_FIELDS,
    RANK_SPAN_PATTERN,
    RULES,
    piece_codes_in_rule,
    read_board_size,
    read_piece_line,
    read_regional_moves,
    read_rules,
    rule_value,
    split_list,
)
from alfil.library.file_locations import FileLocation, find_included, read_file_beside
from alfil.library.game_readings import lines_of_reading
from alfil.library.piece_file import Constraint, Entry, GameReading, PieceFile, unpromoted_code
from alfil.library.regions import EMPTY_SQUARE_MARK, SIDES, RegionReader
from alfil.library.statements import (
    Diagnostics,
    Field,
    InvalidValue,
    Line,
    Statement,
    Text,
    TooManyDiagnostics,
    read_lines,
)
from alfil.library.validator import Validator, read_hand
from alfil.movement.nodes import Size
from alfil.notation.hasinu.user_functions import name_in_signature
from alfil.source import Span
from alfil.squares import Square, square_seen_by
from alfil.work_limit import FILE_LIMIT, TooMuchWorkForFile, charge, limited_task

DEPTH_LIMIT = 8
# Moves on some squares are laid out apart from those of their piece, described and drawn with them.
WORK_PER_REGIONAL_MOVES = 1000
# A square in a set-up that is none of the board.
HOLE_MARK = "*"
# A square that a piece takes up whose code stands on another one.
COVER_MARK = "_"

HandCounts = tuple[tuple[str, int], ...]
# What stands on a piece: the first of these that it has, or else its code.
LABEL_FIELDS = ("kanji", "symbol")
# How the file of a symbol ends.
SYMBOL_FILE_SUFFIX = ".svg"


@without_garbage_collection
def read_piece_file(location: FileLocation) -> PieceFile:
    """Read a piece file; raises `PieceFileError` with everything that is wrong in it."""
    return _PieceFileReader(location).read()


class DrawnRows(NamedTuple):
    """A drawn starting position or region: its first line, and rows from the farthest rank."""

    line: Statement
    rows: list[tuple[Text, ...]]
    keyword_mark: Text


class _PieceFileReader:
    """One file while it is read.

    ``entries`` are the pieces that are right, ``own`` the lines of those that are not included, and
    ``codes`` all codes that are not unknown. ``chain`` are the files under way, from the first to
    this one, ``done`` those that have been read.
    """

    def __init__(self, location: FileLocation, within: _PieceFileReader | None = None) -> None:
        self.place = location
        self.chain: list[FileLocation] = [*(within.chain if within else ()), location]
        self.done: dict[str, PieceFile | PieceFileError] = within.done if within else {}
        self.diagnostics = Diagnostics(location.source)
        self.lines: list[Line] = []
        self.readings: tuple[GameReading, ...] = ()
        self.files = self.ranks = 0
        self.rules = Rules()
        self.entries: dict[str, Entry] = {}
        self.own: dict[str, Statement] = {}
        self.functions: dict[str, Text] = {}
        self.codes: dict[str, None] = {}
        self.walls: set[Square] = set()
        # What is looked at, in case that is too much work.
        self.at = Span(0, 1)
        self.regions: tuple[Region, ...] = ()

    def read(self) -> PieceFile:
        """All there is in the file."""
        try:
            with limited_task(FILE_LIMIT, TooMuchWorkForFile):
                return self._read_file()
        except TooManyDiagnostics:
            raise PieceFileError(self.diagnostics.ordered, self.place.source) from None
        except TooMuchWorkForFile:
            with suppress(TooManyDiagnostics):
                self.diagnostics.add("too-much", self.at)
            raise PieceFileError(self.diagnostics.ordered, self.place.source) from None

    def _read_file(self) -> PieceFile:
        lines = read_lines(self.place.source, self.diagnostics)
        self.lines, self.readings = lines_of_reading(lines, self.place.reading, self.diagnostics)
        games, zones = self._statements("game"), self._statements("zone")
        for extra in games[1:]:
            self.diagnostics.add("twice", extra.head.span, what="the name of the game")
        self._read_board()
        self.rules = read_rules(self._statements("rule"), zones, self.diagnostics)
        files = self._read_included_files()
        self._read_functions()
        self._read_pieces()
        self._add_promoted_forms()
        blocks = self._setup_and_region_rows()
        self.regions = regions = self._read_regions(blocks["region"], zones)
        self.codes = dict.fromkeys([*self.entries, *self.own, *self.diagnostics.lost])
        self._check_codes_in_fields()
        for line in self._statements("moves"):
            self._check_code_is_known(line.head)
        self._check_letters(ignore_case=bool(games or self._statements("board")))
        self._check_piece_codes_in_rules()
        if self.ranks and self.rules.zone > self.ranks:
            span = zones[0].head.span
            self.diagnostics.add("deep-zone", span, zone=self.rules.zone, ranks=self.ranks)
        self._check_glyphs()
        has_setup = bool(blocks["setup"])
        self._check_ranks_are_on_board()
        harmony = self._make_validator()
        harmony.validate(has_setup=has_setup)
        for target, file in files:
            self._report_omitted_contents(target, file, has_setup=has_setup)
        setup = self._read_starting_pieces(blocks["setup"])
        hands = self._read_hands()
        if has_setup:
            harmony.check_goal_is_reachable(setup, regions)
            harmony.check_promotions_by_side(setup, hands)
            if not (self.diagnostics.has_errors or self.readings):
                self._check_regions_are_named(block.line for block in blocks["region"])
        return PieceFile(
            name=self.place.name,
            title=games[0].head.value.strip() if games else "",
            files=self.files,
            ranks=self.ranks,
            rules=self.rules,
            pieces=tuple(self.entries[code] for code in self.codes if code in self.entries),
            setup=setup,
            walls=frozenset(self.walls),
            hands=hands,
            constraints=tuple(map(self._read_constraint, self._statements("constraint"))),
            regions=regions,
            readings=self.readings,
            reading=self.place.reading,
            diagnostics=self.diagnostics.warnings_or_raise(),
            source=self.place.source,
        )

    def _statements(self, keyword: str) -> list[Statement]:
        statements = (line.statement for line in self.lines)
        return [each for each in statements if each and each.keyword == keyword]

    def _make_validator(self) -> Validator:
        lines = [line.statement for line in self.lines if line.statement]
        size = (self.files, self.ranks)
        return Validator(lines, self.own, self.entries, self.rules, size, self.diagnostics)

    def _rule_line(self, name: str) -> Statement | None:
        """The line of a rule, or None where it is not given."""
        return next((each for each in self._statements("rule") if each.head.value == name), None)

    def _piece_fields(self) -> list[dict[str, Field]]:
        """The fields of every piece line of the file."""
        return [line.fields for line in self.own.values()]

    def _read_board(self) -> None:
        for number, board in enumerate(self._statements("board")):
            if number:
                self.diagnostics.add("twice", board.head.span, what="the board")
                continue
            with self.diagnostics.collect_invalid_values():
                self.files, self.ranks = read_board_size(board.head)

    def _read_functions(self) -> None:
        """The functions that the Ħasínū of this file may call."""
        names = set[str]()
        for line in self._statements("define"):
            signature, body = line.words
            self.at = signature.span
            try:
                name = name_in_signature(signature.value)
            except ValueError as error:
                self.diagnostics.add("no-function", signature.span, why=error)
                continue
            if name in names:
                self.diagnostics.add("twice", signature.span, what=f"the function {name}")
            names.add(name)
            self.functions["".join(signature.value.split())] = body

    def _read_pieces(self) -> None:
        functions = tuple(
            sorted((name, body.value.strip()) for name, body in self.functions.items())
        )
        for line in self._statements("piece"):
            code, self.at = line.head.value, line.head.span
            replaces = "replaces" in line.flags
            if code in self.own:
                first = self.diagnostics.source.position(self.own[code].head.span.start).line
                self.diagnostics.add("same-code", line.head.span, code=code, line=first)
                continue
            if code in self.entries and not replaces:
                other = self.entries[code].source.name
                self.diagnostics.add("other-code", line.head.span, code=code, file=other)
            if replaces and code not in self.entries:
                self.diagnostics.add("nothing-replaced", line.head.span, code=code)
            self.own[code] = line
            self.entries.pop(code, None)
            entry = read_piece_line(line, self.diagnostics, functions)
            if entry:
                self.entries[code] = self._with_svg_symbol(entry, line)
        for line in self._statements("moves"):
            self.at = line.head.span
            charge(WORK_PER_REGIONAL_MOVES)
            further = read_regional_moves(line, self.diagnostics, functions)
            entry = self.entries.get(line.head.value)
            if further and entry:
                self.entries[entry.code] = replace(entry, further=(*entry.further, further))

    def _add_promoted_forms(self) -> None:
        """Promoted forms that have no line: +Q moves as Q, and is what it was when captured."""
        for entry in [*self.entries.values()]:
            for code in entry.promotes:
                model = self.entries.get(unpromoted_code(code))
                if code in self.entries or code in self.own or model in {None, entry}:
                    continue
                assert model is not None
                self.entries[code] = replace(
                    model,
                    code=code,
                    name=f"promoted {model.name}",
                    letter=f"+{model.default_letter}" if model.default_letter else "",
                    also=(),
                    german=(),
                    french=(),
                    romaji="",
                    sources=(),
                    reading="",
                    same_as=model.code,
                    promotes=(),
                    castles_with=(),
                    gates=False,
                    source=entry.source,
                    span=entry.span,
                    name_spans={},
                )

    def _read_included_files(self) -> list[tuple[Text, PieceFile]]:
        """Take the pieces of other files; these, each with where it is named."""
        result: list[tuple[Text, PieceFile]] = []
        targets = set[str]()
        for line in self._statements("include"):
            target = line.head
            if target.value in targets:
                self.diagnostics.add("included-twice", target.span, file=target.value)
                continue
            targets.add(target.value)
            self.at = target.span
            file = self._read_included(target)
            only = self._selected_codes(line, file)
            if not file:
                continue
            result.append((target, file))
            known = {entry.code: entry for entry in file.pieces}
            for code in known if only is None else only:
                if code in known:
                    self._add_included_piece(known[code], target)
        return result

    def _add_included_piece(self, entry: Entry, target: Text) -> None:
        other = self.entries.setdefault(entry.code, entry)
        if other is not entry:
            files = {"one": entry.source.name, "other": other.source.name}
            self.diagnostics.add("both-have", target.span, **files, code=entry.code)

    def _selected_codes(self, line: Statement, file: PieceFile | None) -> list[str] | None:
        """The codes asked for in their order, or None for all."""
        wanted: list[str] | None = None
        for item in line.items:
            if not isinstance(item, Field) or item.key.value != "only":
                text = item.key if isinstance(item, Field) else item
                self.diagnostics.add("of-include", text.span, name=text.value)
                continue
            if wanted is not None:
                self.diagnostics.add("field-twice", item.key.span, what="only")
            wanted = []
            codes = {entry.code: None for entry in file.pieces} if file else {}
            for part in split_list(item.value):
                wanted.append(part.value)
                if file and part.value not in codes:
                    put = {"code": part.value, "near": did_you_mean_or_list(part.value, codes)}
                    self.diagnostics.add("not-there", part.span, file=file.name, **put)
        return wanted

    def _with_svg_symbol(self, entry: Entry, line: Statement) -> Entry:
        """The piece with the drawing of its symbol, where that is the name of a file."""
        target = line.fields["symbol"].value if "symbol" in line.fields else Text("")
        if target.value.endswith(SYMBOL_FILE_SUFFIX):
            from alfil.library.svg_symbols import read_symbol  # few files need it

            with self.diagnostics.collect_invalid_values():
                _, source = read_file_beside(target, self.place)
                return replace(entry, symbol=read_symbol(source, target))
        return entry

    def _read_included(self, target: Text) -> PieceFile | None:
        """The included file, read once however often it is named; errors in it are told here."""
        file: PieceFile | PieceFileError | None = None
        with self.diagnostics.collect_invalid_values():
            try:
                location = find_included(target, self.place)
                self._check_include_cycle(location, target)
                if location.key not in self.done:
                    self.done[location.key] = _PieceFileReader(location, self).file_or_error()
                file = self.done[location.key]
            except PieceFileError as error:
                file = error
        if file:
            self._report_included_diagnostics(file, target)
        return file if isinstance(file, PieceFile) else None

    def file_or_error(self) -> PieceFile | PieceFileError:
        """The file, or what is wrong with it."""
        try:
            return self.read()
        except PieceFileError as error:
            return error

    def _check_include_cycle(self, location: FileLocation, target: Text) -> None:
        names = " → ".join(each.source.name for each in (*self.chain, location))
        if location.key in {each.key for each in self.chain}:
            raise InvalidValue("loop", target.span, names=names)
        if len(self.chain) > DEPTH_LIMIT:
            raise InvalidValue("deep", target.span, most=DEPTH_LIMIT, names=names)

    def _report_included_diagnostics(
        self, included: PieceFile | PieceFileError, target: Text
    ) -> None:
        """Report the diagnostics of an included file at the line that includes it."""
        for each in included.diagnostics:
            if each.severity != "note":
                position = included.source.position(each.spans[0].start if each.spans else 0)
                location = f"{included.source.name}:{position.line}:{position.column}"
                message = f"{location}: {each.message}"
                self.diagnostics.add_existing(replace(each, message=message, spans=(target.span,)))

    def _report_omitted_contents(self, target: Text, file: PieceFile, *, has_setup: bool) -> None:
        """What an included file has beside pieces, where this file has nothing of the kind."""
        parts = {
            "board": file.files and not self.files,
            "rules": file.rules != Rules() and not self._statements("rule"),
            "set-up": file.setup and not has_setup,
        }
        lost = [name for name, is_present in parts.items() if is_present]
        if lost:
            self.diagnostics.add(
                "pieces-only", target.span, file=target.value, lost=", ".join(lost)
            )

    def _check_code_is_known(self, text: Text) -> bool:
        """Whether a piece has this code; if none has, that is noted."""
        if text.value not in self.codes:
            near = did_you_mean_or_list(text.value, self.codes)
            self.diagnostics.add("no-such-code", text.span, code=text.value, near=near)
        return text.value in self.codes

    def _read_regions(
        self, blocks: Iterable[DrawnRows], zones: list[Statement]
    ) -> tuple[Region, ...]:
        """The regions of the file; where pieces and rules name others, that is noted."""
        regions = RegionReader(self.files, self.ranks, self.diagnostics)
        for block in blocks:
            self.at = block.line.head.span
            self._check_rows(block)
            regions.read_region(block.line, block.rows)
        regions.check_zone_defined_once(zones)
        known = {region.name for region in regions.regions} | ({ZONE_REGION} if zones else set())
        for text in self._region_mentions():
            if not text.value[:1].isdigit() and text.value not in known:
                near = (
                    did_you_mean_or_list(text.value, known)
                    or "give its squares: region palace files=d-f"
                )
                self.diagnostics.add("no-region", text.span, name=text.value, near=near)
        return regions.regions

    def _check_regions_are_named(self, lines: Iterable[Statement]) -> None:
        """A region is there for what names it, unless its own name means something."""
        named: set[Area | None] = {ZONE_REGION, WALLS_REGION, OPENING_REGION}
        named |= {text.value for text in self._region_mentions()}
        # Included pieces name regions that the file has to have.
        named |= {area for each in self.entries.values() for area in each.areas}
        for line in lines:
            if line.head.value not in named:
                self.diagnostics.add("idle-region", line.head.span, name=line.head.value)

    def _region_mentions(self) -> Iterator[Text]:
        """Everywhere that regions are named; those of included pieces at the line that does."""
        goal = self._rule_line("goal")
        if goal and self.rules.goal:
            yield goal.words[2]
        for fields in self._piece_fields():
            yield from (fields[key].value for key in AREA_FIELDS if key in fields)
        for line in self._statements("moves"):
            yield from (each.value for key, each in line.fields.items() if key in MOVES_AREA_FIELDS)

    def _check_codes_in_fields(self) -> None:
        for fields in self._piece_fields():
            for key in CODE_FIELDS:
                for part in split_list(fields[key].value) if key in fields else ():
                    if part.value:
                        self._check_code_is_known(part)

    def _check_piece_codes_in_rules(self) -> None:
        """The pieces that rules name are known; what says more of a countdown has one."""
        for name in RULES:
            line = self._rule_line(name)
            for code in piece_codes_in_rule(line) if line and rule_value(name, self.rules) else ():
                self._check_code_is_known(code)
        rules, without = self.rules, self._rule_line("countdown-without")
        asks_for_countdown = (rules.countdown_from != "nothing", rules.countdown_without)
        for line, more in zip(
            (self._rule_line("countdown-from"), without), asks_for_countdown, strict=True
        ):
            if line and more and not rules.countdown and not self._rule_line("countdown"):
                self.diagnostics.add("idle-countdown", line.head.span, rule=line.head.value)

    def _check_letters(self, *, ignore_case: bool) -> None:
        """No two pieces with one letter; in a game not even in upper and lower case."""
        taken: dict[str, str] = {}
        for code, entry in self.entries.items():
            letter = entry.default_letter
            letter = letter.upper() if ignore_case else letter
            keys = [f"{side}{letter}" for side in entry.sides if letter]
            others = [taken.setdefault(key, code) for key in keys]
            other = next((each for each in others if each != code), "")
            if other:
                line = self.own.get(code) or self.own.get(other)
                span = line.head.span if line else entry.span
                self.diagnostics.add("same-letter", span, sign=entry.default_letter, code=other)

    def _check_glyphs(self) -> None:
        """Check for characters without glyphs; bundled sets have none."""
        for line in self.own.values() if self.place.source_kind != "set" else ():
            label = next(
                (line.fields[key].value for key in LABEL_FIELDS if key in line.fields), line.head
            )
            for text in (label, *line.texts[:1]):
                if not text.value.isascii():
                    self._check_characters_drawable(text)

    def _check_characters_drawable(self, text: Text) -> None:
        from alfil.diagrams.text_outlines import characters_without_outline  # most files need none

        frames = characters_without_outline(text.value)
        if frames:
            self.diagnostics.add("no-outline", text.span, signs=" ".join(frames))

    def _setup_and_region_rows(self) -> dict[str, list[DrawnRows]]:
        """Set-ups and regions with their rows; blank lines and comments may stand between."""
        result: dict[str, list[DrawnRows]] = {"setup": [], "region": []}
        rows: list[tuple[Text, ...]] | None = None
        for line in self.lines:
            statement = line.statement
            if statement and statement.keyword == "|":
                if rows is None:
                    self.diagnostics.add("lone-row", statement.head.span)
                else:
                    rows.append(statement.words)
            elif statement:
                rows = [] if statement.keyword in result else None
                if rows is not None:
                    mark = Text(statement.keyword, line.span)
                    result[statement.keyword].append(DrawnRows(statement, rows, mark))
        return result

    def _read_constraint(self, line: Statement) -> Constraint:
        number, name = line.words
        if name.value not in PREDICATES:
            near = did_you_mean_or_list(name.value, PREDICATES)
            self.diagnostics.add("no-such-constraint", name.span, name=name.value, near=near)
        values: dict[str, Text] = {}
        for item in line.items:
            key, value = (item.key, item.value) if isinstance(item, Field) else (item, item)
            key = Text("words", item.span) if item in line.texts else key
            if key.value not in ("on", "from", "words", "required"):
                near = did_you_mean_or_list(key.value, ("on=", "from=", "required"))
                self.diagnostics.add("of-constraint", key.span, name=key.value, near=near)
            elif key.value in values:
                self.diagnostics.add("twice", key.span, what=key.value)
            values[key.value] = value
        about = split_list(values["on"]) if "on" in values else []
        for part in about:
            self._check_code_is_known(part)
        if not about:
            self.diagnostics.add("on-nothing", name.span)
        said = {key: text.value for key, text in values.items()}
        return Constraint(
            number.value,
            name.value,
            tuple(part.value for part in about),
            said.get("words", ""),
            said.get("from", "").strip(),
            "required" in said,
            number.span,
        )

    def _read_starting_pieces(self, blocks: Iterable[DrawnRows]) -> tuple[StartingPiece, ...]:
        """Where the pieces stand at the start."""
        # By square, for all squares that a piece takes up.
        result: dict[tuple[int, int], StartingPiece] = {}
        taken: set[int] = set()
        for block in blocks:
            sides, mirrored = self._setup_sides_and_mirroring(block)
            if taken & set(sides):
                self.diagnostics.add("side-twice", block.keyword_mark.span)
                continue
            taken |= set(sides)
            if not self.files:
                if not any(self._statements("board")):  # one without a size has its own error
                    self.diagnostics.add("no-board", block.keyword_mark.span)
                continue
            self._check_rows(block)
            for side in sides:
                for each, text in self._side_pieces(block, side, mirrored=mirrored):
                    self._place_piece(each, text, result)
        return tuple(dict.fromkeys(result.values()))

    def _setup_sides_and_mirroring(self, block: DrawnRows) -> tuple[tuple[int, ...], bool]:
        """The sides a set-up is for, and whether the second is a reflection of the first."""
        known = (*SIDES, "mirrored")
        options = block.line.words
        option_words = [option.value for option in options]
        for option in options:
            if option.value not in known:
                put = {"value": option.value, "near": did_you_mean_or_list(option.value, known)}
                self.diagnostics.add("cannot-be", option.span, what="a starting position", **put)
        sides = tuple(SIDES[word] for word in dict.fromkeys(option_words) if word in SIDES)
        if (
            len(option_words) > len(set(option_words))
            or len(sides) > 1
            or {"first", "mirrored"} <= set(option_words)
        ):
            name = "two-sides" if len(sides) > 1 else "one-mirrored"
            self.diagnostics.add(name, options[-1].span)
        return sides or (FIRST, SECOND), "mirrored" in option_words

    def _check_rows(self, block: DrawnRows) -> None:
        if (
            not block.rows
            and block.keyword_mark.value == "setup"
            and not self.diagnostics.lost_rows
        ):
            self.diagnostics.add("no-rows", block.keyword_mark.span)
        if len(block.rows) > self.ranks:
            span = block.rows[0][0].span
            self.diagnostics.add("too-many-rows", span, rows=len(block.rows), ranks=self.ranks)
        for row in block.rows:
            if len(row) != self.files:
                span = row[0].span.to(row[-1].span)
                self.diagnostics.add("row-length", span, squares=len(row), files=self.files)
            elif block.keyword_mark.value == "setup":
                self._check_codes(row)
        if block.keyword_mark.value == "setup":
            self._check_footprints(block)

    def _check_footprints(self, block: DrawnRows) -> None:
        """Note where a piece of several squares is not drawn on all of them, or nothing else is."""
        drawn_cells = {
            (file, rank): cell
            for rank, row in enumerate(reversed(block.rows))
            for file, cell in enumerate(row)
        }
        covered = set[tuple[int, int]]()
        for (file, rank), cell in drawn_cells.items():
            files, ranks = self._footprint_size(cell.value)
            others = {(file + x, rank + y) for x in range(files) for y in range(ranks)}
            others -= {(file, rank)}
            covers = [drawn_cells[at].value for at in others if at in drawn_cells]
            if len(covers) < len(others) or {*covers} - {COVER_MARK} or others & covered:
                put = {"code": cell.value, "files": files, "ranks": ranks}
                self.diagnostics.add("not-covered", cell.span, **put)
            covered |= others
        for at, cell in drawn_cells.items():
            if cell.value == COVER_MARK and at not in covered:
                self.diagnostics.add("lone-cover", cell.span)

    def _footprint_size(self, code: str) -> tuple[int, int]:
        """The files and ranks that a piece takes up, as far as that is known."""
        entry = self.entries.get(code)
        try:
            facts = entry.piece.movement.facts if entry else ()
        except AlfilError:
            facts = ()
        sizes = [fact.truth for fact in facts if isinstance(fact.truth, Size) and not fact.within]
        files, ranks = [each.files for each in sizes], [each.ranks for each in sizes]
        return max(files, default=1), max(ranks, default=1)

    def _occupied_squares(self, each: StartingPiece) -> list[tuple[int, int]]:
        """The squares that a piece of the set-up takes up, its own first."""
        (file, rank), (files, ranks) = each.square, self._footprint_size(each.code)
        back = -1 if each.side == SECOND else 1
        return [(file + back * x, rank + back * y) for y in range(ranks) for x in range(files)]

    def _check_codes(self, row: tuple[Text, ...]) -> None:
        """Note the codes of a row that no piece has, all at once."""
        known = {EMPTY_SQUARE_MARK, HOLE_MARK, COVER_MARK, *self.codes}
        cells = [cell for cell in row if cell.value not in known]
        strange = dict.fromkeys(cell.value for cell in cells)
        if len(strange) == 1:
            self._check_code_is_known(cells[-1])
        elif strange:
            span, codes = cells[0].span.to(cells[-1].span), ", ".join(strange)
            self.diagnostics.add("no-such-codes", span, codes=codes, known=", ".join(self.codes))

    def _side_pieces(
        self, block: DrawnRows, side: int, *, mirrored: bool
    ) -> Iterator[tuple[StartingPiece, Text]]:
        """The pieces of one side; the second sees the board turned by half, or reflected."""
        if len(block.rows) > self.ranks:
            return
        for rank, row in enumerate(reversed(block.rows)):
            for file, cell in enumerate(row if len(row) == self.files else ()):
                if cell.value != EMPTY_SQUARE_MARK:
                    at = square_seen_by(side, (file, rank), self.files, self.ranks)
                    if side == SECOND and mirrored:
                        # Seen by the second side, the near left square is another one.
                        at = (file + self._footprint_size(cell.value)[0] - 1, at[1])
                    yield StartingPiece(at, side, cell.value), cell

    def _place_piece(
        self, each: StartingPiece, text: Text, result: dict[tuple[int, int], StartingPiece]
    ) -> None:
        if text.value == HOLE_MARK:
            self.walls.add(each.square)
        if text.value == HOLE_MARK or each.code not in self.codes:
            return
        entry = self.entries.get(each.code)
        if entry and each.side not in entry.sides:
            self.diagnostics.add("other-side", text.span, code=each.code, side=entry.side)
        wrong = any(each.severity == "error" for each in self.diagnostics.found)
        if entry and not wrong and not self._is_allowed_square(entry, each):
            self.diagnostics.add("setup-outside", text.span, code=each.code)
        others = [result.setdefault(cell, each) for cell in self._occupied_squares(each)]
        other = next((one for one in others if one is not each), each)
        overlaps = any(each.kind == "setup-overlap" for each in self.diagnostics.found)
        if other is not each and not overlaps:
            self.diagnostics.add("overlap", text.span, one=each.code, other=other.code)

    def _is_allowed_square(self, entry: Entry, each: StartingPiece) -> bool:
        """Whether a piece may stand where it is set up; areas that are unknown are told already."""
        board = (self.files, self.ranks)
        try:
            inside, outside = (
                {*self._occupied_squares(each)}
                & region_squares(area, each.side, board, self.rules.zone, self.regions)
                for area in (entry.within or (1, self.ranks), entry.outside or (2, 1))
            )
        except KeyError:
            return True
        return inside == {*self._occupied_squares(each)} and not outside

    def _read_hands(self) -> tuple[HandCounts, HandCounts]:
        """What each side has in hand at the start, as codes and counts in the order written."""
        hands: dict[int, HandCounts] = {}
        for line in self._statements("hand"):
            side = SIDES.get(line.head.value)
            sides = (FIRST, SECOND) if side is None else (side,)
            held = self._count_by_code(read_hand(line))
            for word, _ in read_hand(line):
                entry = self.entries.get(word.value)
                if entry and not {*sides} <= {*entry.sides}:
                    self.diagnostics.add("other-side", word.span, code=entry.code, side=entry.side)
            if hands.keys() & set(sides):
                self.diagnostics.add("twice", line.head.span, what="the hand of this side")
            else:
                hands |= dict.fromkeys(sides, held)
        return hands.get(FIRST, ()), hands.get(SECOND, ())

    def _count_by_code(self, words: Iterable[tuple[Text, int]]) -> HandCounts:
        result: dict[str, int] = {}
        for word, count in words:
            code = word.value
            if not self._check_code_is_known(word):
                continue
            if code in result:
                self.diagnostics.add("held-twice", word.span, code=code)
            elif not count:
                self.diagnostics.add("none-held", word.span, code=code)
            else:
                result[code] = count
        return tuple(result.items())

    def _check_ranks_are_on_board(self) -> None:
        """No rank lies beyond the board."""
        texts = [each["drop-ranks"].value for each in self._piece_fields() if "drop-ranks" in each]
        for text in (*texts, *self._region_mentions()):
            match = RANK_SPAN_PATTERN.fullmatch(text.value)
            written = match.groups(LAST_RANK) if match else ()
            last = max((int(each) for each in written if each != LAST_RANK), default=0)
            if self.ranks and last > self.ranks:
                self.diagnostics.add("beyond", text.span, rank=last, ranks=self.ranks)
