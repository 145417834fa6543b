"""What pages ask of alfil, in a worker of the browser: each answer is JSON, and so is a question.

Nothing is remembered between questions but what was worked out anyway, so that a worker that was
stopped can be replaced. Places in texts are counted in code points; the page counts otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TypeAlias

from alfil.api import (
    Piece,
    compile,
    describe,
    difference,
    draw,
    is_betza,
    readings,
    translate,
    write,
)
from alfil.diagrams.diagram_model import Diagram
from alfil.diagrams.html_page import board_data
from alfil.diagrams.picture import PICTURE_FORMATS, Picture
from alfil.errors import AlfilError, BoardError, Diagnostic
from alfil.library.library import LibraryPiece
from alfil.library.piece_file import Entry, normalise_name
from alfil.library.search import identify, search
from alfil.notation.registry import NOTATIONS
from alfil.program_comparison import check_for
from alfil.programs import PROGRAMS
from alfil.site.corrected_texts import LONGEST, corrected_texts, read_or_find_piece
from alfil.site.game_with_piece import game_with_piece
from alfil.site.notation_explanation import explained_parts
from alfil.site.notation_from_squares import notation_for_sketch
from alfil.site.request_arguments import read_arguments, reject_request

Json: TypeAlias = dict[str, object]

# What the notations are called where a reader chooses one.
TITLES = {
    "betza": "Betza",
    "classic": "Betza of 1995",
    "xboard": "Betza for XBoard",
    "fairy-stockfish": "Betza for Fairy-Stockfish",
    "hasinu": "Ħasínū",
    "parlett": "Parlett",
}
PROGRAM_TITLES = {"fairy-stockfish": "Fairy-Stockfish", "xboard": "XBoard"}
VERDICTS = {
    "settings": "has the same piece where its variant says who castles and takes en passant",
    "ignored": "passes over part of it, and has another piece",
    "other": "has another piece",
    "unknown": "does with it what has not been measured",
    "unreadable": "has a piece of its own where alfil cannot read the text",
}
# A piece that moves by the size of its board is shown on this one.
BOARD = {"files": 9, "ranks": 9, "at": "e5"}
SHOWN = 60
TURNED = 4
# An open diagram has at most so many squares on each side of the piece.
WIDEST = 17


def answer(call: str, arguments: str) -> str:
    """The answer to a question, both as JSON; diagnostics where there is none.

    >>> json.loads(answer("read", '["fW", "betza"]'))["english"]
    'Steps one square straight forward.'
    """
    try:
        function = function_for_call(call)
        answer_data = function(*read_arguments(call, function, arguments))
    except AlfilError as error:
        answer_data = {"diagnostics": [*map(diagnostic_data, error.diagnostics)]}
    return json.dumps(answer_data)


def function_for_call(call: str) -> Callable[..., Json]:
    """The function that answers a call; who only types texts never waits for those about games."""
    if call in CALLS:
        return CALLS[call]
    from alfil.site import game_requests

    if call not in game_requests.CALLS:
        reject_request(f"no request is called {call!r:.60}")
    return game_requests.CALLS[call]


def diagnostic_data(diagnostic: Diagnostic, corrections: Iterable[str] = ()) -> Json:
    """A diagnostic, and the texts that its hint may lead to."""
    return {
        "kind": diagnostic.kind,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "spans": [[each.start, each.end] for each in diagnostic.spans],
        "fixes": [*corrections],
    }


def page_data_of_text(text: str, notation: str, reach: int = 0) -> Json:
    """A piece as the page shows it: its diagram, in words, what was found; or what is wrong.

    An open diagram has at least ``reach`` squares on each side of the piece, as far as any has so
    many. Of a text that is none in this notation ``elsewhere`` is another one that reads it.
    """
    try:
        piece, library_piece = read_or_find_piece(text, notation)
        shown = diagram_of(library_piece or piece, reach)
    except AlfilError as error:
        diagnostics = _diagnostics_with_corrections(text, notation, error.diagnostics)
        elsewhere = _other_notation_that_reads(text, notation)
        return {"text": text, "diagnostics": diagnostics, "elsewhere": elsewhere}
    return {
        "text": text,
        # Those of a piece of the library are about its notation, and this is its name.
        "diagnostics": _diagnostics_with_corrections(
            text, notation, () if library_piece else piece.diagnostics
        ),
        "notation": piece.notation,
        "written": library_piece.entry.piece.text.strip() if library_piece else write(piece),
        "named": library_piece and library_piece_data(library_piece),
        "english": describe(library_piece.entry if library_piece else piece),
        "data": diagram_data(shown),
    }


def _diagnostics_with_corrections(
    text: str, notation: str, diagnostics: Iterable[Diagnostic]
) -> list[Json]:
    return [diagnostic_data(each, corrected_texts(text, notation, each)) for each in diagnostics]


def _other_notation_that_reads(text: str, notation: str) -> str:
    """The first other notation of the page that reads a text, empty for none."""
    if len(text) > LONGEST:
        return ""
    known = {each.notation for each in readings(text)}
    return next((each for each in TITLES if each in known and each != notation), "")


def diagram_data(diagram: Diagram) -> Json:
    """A diagram as the page draws it."""
    title = diagram.label or diagram.notation[:SHOWN] or "this piece"
    return board_data(diagram.meaning, diagram.marks, f"How {title} moves")


def diagram_of(piece: Piece | LibraryPiece, reach: int = 0) -> Diagram:
    """The diagram of a piece, on a board where its moves depend on that."""
    diagram = _diagram_of_picture(picture_of(piece))
    window = diagram.marks.window
    if window.ranks or reach <= window.east:
        return diagram
    subject, label = _subject_and_label(piece)
    return _diagram_of_picture(draw(subject, label=label, radius=min(reach, WIDEST)))


def _diagram_of_picture(picture: Picture) -> Diagram:
    subject = picture.subject
    assert isinstance(subject, Diagram)
    return subject


def _subject_and_label(piece: Piece | LibraryPiece) -> tuple[Piece | Entry, str]:
    return (piece, "") if isinstance(piece, Piece) else (piece.entry, piece.entry.name)


Standing: TypeAlias = dict[str, list[tuple[int, int]]]


def picture_of(piece: Piece | LibraryPiece, standing: Standing | None = None) -> Picture:
    """The same as a picture; ``standing`` are offsets under "enemies" and the like."""
    others = {name: [(x, y) for x, y in places] for name, places in (standing or {}).items()}
    subject, label = _subject_and_label(piece)
    try:
        return draw(subject, label=label, **others)  # type: ignore[arg-type]
    except BoardError:
        return draw(subject, label=label, **BOARD, **others)  # type: ignore[arg-type]


def library_piece_data(result: LibraryPiece) -> Json:
    """A piece of a set by name."""
    return {"name": result.entry.name, "place": result.qualified_code, "also": [*result.entry.also]}


def other_notations(text: str, notation: str) -> Json:
    """The piece in every other notation, with what each cannot say; and as programs read it."""
    piece, _ = read_or_find_piece(text, notation)
    return {
        "notations": [_translation_data(piece, each) for each in TITLES if each != piece.notation],
        "programs": [*_program_readings(piece)] if is_betza(piece) else [],
    }


def _translation_data(piece: Piece, notation: str) -> Json:
    """The text nearest to a piece in a notation, and what it leaves out."""
    try:
        result = translate(piece, write=notation, on_loss="lossy")
        text, losses = result.text, result.losses
    except AlfilError as error:
        text, losses = "", error.diagnostics
    return {
        "notation": notation,
        "title": TITLES[notation],
        "text": text,
        # Which notation it is that cannot, the page says by its own name for it.
        "losses": [
            *dict.fromkeys(
                each.message.removeprefix(f"{notation} cannot say this: ") for each in losses
            )
        ],
    }


def explanation(text: str, notation: str) -> Json:
    """What each stretch of a text says, with the squares of the diagram it is about.

    The text is that of the library for a piece that is called by its name.
    """
    piece, library_piece = read_or_find_piece(text, notation)
    parts = explained_parts(piece, diagram_of(library_piece or piece).marks.window)
    return {
        "of": piece.text,
        "notation": piece.notation,
        "parts": [
            {
                "span": [*part.span],
                "words": part.words,
                "squares": part.squares,
                "legs": [{"span": [*leg.span], "squares": leg.squares} for leg in part.legs],
            }
            for part in parts
        ],
    }


def _program_readings(piece: Piece) -> Iterable[Json]:
    """What programs do with the text, as far as that is another piece."""
    for program in PROGRAMS:
        result = check_for(piece, program)
        if result.verdict == "same":
            continue
        theirs = result.theirs
        yield {
            "program": program,
            "title": PROGRAM_TITLES[program],
            "text": piece.text,
            "verdict": VERDICTS[result.verdict],
            "ignored": [[each.start, each.end] for each in result.ignored],
            "betza": result.prediction.betza,
            "english": describe(theirs) if theirs else "",
            "svg": picture_of(theirs).svg(sentence=False, legend=False) if theirs else "",
        }


def names_of_piece(text: str, notation: str, nearest: int = 0) -> Json:
    """Which bundled pieces move like this, in a mirror too, or so many that nearly do.

    For those all bundled pieces are compiled, which takes a browser many seconds the first time.
    Besides, all pieces that are called so, where the text is a name.
    """
    piece, library_piece = read_or_find_piece(text, notation)
    result = identify(piece, nearest=max(nearest, 0))
    return {
        "called": [
            library_piece_data(each) | {"text": each.entry.piece.text.strip()}
            for each in (search(text.strip()) if library_piece else ())
            if normalise_name(text.strip()) in map(normalise_name, each.entry.names)
        ],
        "same": [library_piece_data(each) for each in result.same],
        "turned": [
            {"how": each.how, **library_piece_data(each.match)} for each in result.turned[:TURNED]
        ],
        "near": [
            {"relation": each.relation, "shared": each.shared, "total": each.total}
            | library_piece_data(each.match)
            for each in result.near
        ],
    }


def compare_pieces(text: str, notation: str, other: str, other_notation: str) -> Json:
    """Whether two texts are the same piece, and if not, the smallest board that shows it."""
    first, _ = read_or_find_piece(text, notation)
    try:
        second, _ = read_or_find_piece(other, other_notation)
        bool(second.meaning)
    except AlfilError as error:
        found = _diagnostics_with_corrections(other, other_notation, error.diagnostics)
        return {"diagnostics": found}
    result = difference(first, second)
    if result is None:
        return {"words": "They are the same piece, on every board.", "svg": ""}
    having = (text, other)[result.only == "second"]
    if result.move is None:
        words = f"The moves are the same, but not what is said beside them in {having}."
        return {"words": words, "svg": ""}
    x, y = result.move.to
    words = f"Only {having} has a move here to {x},{y}, counted from the piece."
    if result.moves_made == 0:
        words += " The piece has not moved yet."
    if result.turn:
        words += f" It is turn {result.turn} of its side."
    return {"words": words, "svg": result._repr_svg_()}


def notation_for_squares(marks: list[tuple[int, int, int]]) -> Json:
    """Which piece goes to these squares: [dx, dy, how] with how 1 to move, 2 to capture, 3 both."""
    betza = notation_for_sketch({(x, y): how for x, y, how in marks})
    if not betza:
        return {"betza": "", "hasinu": "", "same": []}
    hasinu = _translation_data(read_or_find_piece(betza, "betza")[0], "hasinu")
    return {"betza": betza, "hasinu": hasinu["text"], **names_of_piece(betza, "betza")}


def piece_as_file(text: str, notation: str, form: str, standing: Standing) -> Json:
    """A piece as a file: its picture with what stands on the board, or its table."""
    piece, library_piece = read_or_find_piece(text, notation)
    if form == "table":
        return {"content": compile(piece).to_json()}
    picture = picture_of(library_piece or piece, standing)
    if form in PICTURE_FORMATS and PICTURE_FORMATS[form].binary:
        reject_request(f"the format {form} is no text, as an answer is")
    return {"content": picture.render(form).decode("utf-8")}


def game_file_replacing_piece(text: str, notation: str, name: str, code: str) -> Json:
    """The piece file of a bundled game in which this piece stands in for another one."""
    piece, library_piece = read_or_find_piece(text, notation)
    called = library_piece.entry.name if library_piece else piece.text.strip()
    return {"file": game_with_piece(name, code, piece, called)}


def warm_up() -> None:
    """Answer one of each kind, so that whatever is worked out once is there from then on."""
    for notation in NOTATIONS:
        answer("read", json.dumps(["N" if notation != "hasinu" else "n4dO", notation]))
    forms = ("svg", "table", "wikitext")
    questions: list[tuple[str, list[object]]] = [
        ("read", ["gryfon", "betza"]),
        ("explain", ["FyafsF", "betza"]),
        ("elsewhere", ["afsW", "betza"]),
        ("game", ["FyafsF", "betza", "chess", "N"]),
        ("names", ["FyafsF", "betza"]),
        ("compare", ["N", "betza", "nN", "betza"]),
        ("fit", [[[1, 2, 3], [-1, 2, 3]]]),
    ]
    questions += [("download", ["N", "betza", form, {}]) for form in forms]
    for call, arguments in questions:
        answer(call, json.dumps(arguments))
    from alfil.site import game_requests

    game_requests.warm_up()


CALLS: dict[str, Callable[..., Json]] = {
    "read": page_data_of_text,
    "explain": explanation,
    "game": game_file_replacing_piece,
    "elsewhere": other_notations,
    "names": names_of_piece,
    "compare": compare_pieces,
    "fit": notation_for_squares,
    "download": piece_as_file,
}
