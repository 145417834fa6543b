"""What pages ask of alfil, in a worker of the browser: each answer is JSON, and so is a question.

Nothing is remembered between questions but what was worked out anyway, so that a worker that was
stopped can be replaced. Places in texts are counted in code points; the page counts otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from alfil.api import (
    Piece,
    compile,
    describe,
    difference,
    draw,
    in_betza,
    translate,
    write,
)
from alfil.comparison import check_for
from alfil.diagrams.html import board_data
from alfil.diagrams.picture import Picture
from alfil.diagrams.subjects import Diagram
from alfil.errors import AlfilError, BoardError, Finding
from alfil.library.library import Found
from alfil.library.search import identify
from alfil.notation.registry import NOTATIONS
from alfil.programs import PROGRAMS
from alfil.site.fitting import fitted
from alfil.site.fixes import fixes, understood

Json: TypeAlias = dict[str, object]
Offsets: TypeAlias = Sequence[Sequence[int]]

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


def answer(call: str, arguments: str) -> str:
    """The answer to a question, both as JSON; findings where there is none.

    >>> json.loads(answer("read", '["fW", "betza"]'))["english"]
    'Steps one square straight forward.'
    """
    try:
        given = called_for(call)(*json.loads(arguments))
    except AlfilError as error:
        given = {"findings": [*map(told, error.findings)]}
    return json.dumps(given)


def called_for(call: str) -> Callable[..., Json]:
    """The function that answers a call; who only types texts never waits for those about games."""
    if call in CALLS:
        return CALLS[call]
    from alfil.site import playing

    return playing.CALLS[call]


def told(finding: Finding, fixed: Iterable[str] = ()) -> Json:
    """A finding, and the texts that its hint may lead to."""
    return {
        "kind": finding.kind,
        "severity": finding.severity,
        "message": finding.message,
        "hint": finding.hint,
        "spans": [[each.start, each.end] for each in finding.spans],
        "fixes": [*fixed],
    }


def read_text(text: str, notation: str) -> Json:
    """A piece as the page shows it: its diagram, in words, what was found; or what is wrong."""
    try:
        piece, named = understood(text, notation)
        shown = diagram_of(named or piece)
    except AlfilError as error:
        findings = [told(each, fixes(text, notation, each)) for each in error.findings]
        return {"text": text, "findings": findings}
    return {
        "text": text,
        "findings": [told(each, fixes(text, notation, each)) for each in piece.findings],
        "notation": piece.notation,
        "written": named.entry.piece.text.strip() if named else write(piece),
        "named": named and called(named),
        "english": describe(named.entry if named else piece),
        "data": data_of(shown),
    }


def data_of(diagram: Diagram) -> Json:
    """A diagram as the page draws it."""
    title = diagram.label or diagram.notation[:SHOWN] or "this piece"
    return board_data(diagram.meaning, diagram.marks, f"How {title} moves")


def diagram_of(piece: Piece | Found, standing: Standing | None = None) -> Diagram:
    """The diagram of a piece, on a board where its moves depend on that."""
    subject = picture_of(piece, standing).subject
    assert isinstance(subject, Diagram)
    return subject


Standing: TypeAlias = dict[str, list[list[int]]]


def picture_of(piece: Piece | Found, standing: Standing | None = None) -> Picture:
    """The same as a picture; ``standing`` are offsets under "enemies" and the like."""
    others = {name: [(x, y) for x, y in places] for name, places in (standing or {}).items()}
    drawn, label = (piece, "") if isinstance(piece, Piece) else (piece.entry, piece.entry.name)
    try:
        return draw(drawn, label=label, **others)  # type: ignore[arg-type]
    except BoardError:
        return draw(drawn, label=label, **BOARD, **others)  # type: ignore[arg-type]


def called(found: Found) -> Json:
    """A piece of a set by name."""
    return {"name": found.entry.name, "place": found.place, "also": [*found.entry.also]}


def elsewhere(text: str, notation: str) -> Json:
    """The piece in every other notation, with what each cannot say; and as programs read it."""
    piece, _ = understood(text, notation)
    return {
        "notations": [_translated(piece, each) for each in TITLES if each != piece.notation],
        "programs": [*_read_elsewhere(piece)] if in_betza(piece) else [],
    }


def _translated(piece: Piece, notation: str) -> Json:
    """The text nearest to a piece in a notation, and what it leaves out."""
    try:
        found = translate(piece, write=notation, on_loss="lossy")
        text, losses = found.text, found.losses
    except AlfilError as error:
        text, losses = "", error.findings
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


def _read_elsewhere(piece: Piece) -> Iterable[Json]:
    """What programs do with the text, as far as that is another piece."""
    for program in PROGRAMS:
        found = check_for(piece, program)
        if found.verdict == "same":
            continue
        theirs = found.theirs
        yield {
            "title": PROGRAM_TITLES[program],
            "verdict": VERDICTS[found.verdict],
            "ignored": [[each.start, each.end] for each in found.ignored],
            "betza": found.prediction.betza,
            "english": describe(theirs) if theirs else "",
            "svg": picture_of(theirs).svg(sentence=False, legend=False) if theirs else "",
        }


def names(text: str, notation: str, nearest: int = 0) -> Json:
    """Which bundled pieces move like this, in a mirror too, or so many that nearly do.

    For those all bundled pieces are compiled, which takes a browser many seconds the first time.
    """
    found = identify(understood(text, notation)[0], nearest=nearest)
    return {
        "same": [called(each) for each in found.same],
        "turned": [{"how": each.how, **called(each.found)} for each in found.turned[:TURNED]],
        "near": [
            {"relation": each.relation, "shared": each.shared, "total": each.total}
            | called(each.found)
            for each in found.near
        ],
    }


def compare(text: str, notation: str, other: str, its_notation: str) -> Json:
    """Whether two texts are the same piece, and if not, the smallest board that shows it."""
    first, _ = understood(text, notation)
    try:
        second, _ = understood(other, its_notation)
        bool(second.meaning)
    except AlfilError as error:
        return {
            "findings": [told(each, fixes(other, its_notation, each)) for each in error.findings]
        }
    found = difference(first, second)
    if found is None:
        return {"words": "They are the same piece, on every board.", "svg": ""}
    having = (text, other)[found.only == "second"]
    if found.move is None:
        words = f"The moves are the same, but not what is said beside them in {having}."
        return {"words": words, "svg": ""}
    x, y = found.move.to
    words = f"Only {having} has a move here to {x},{y}, counted from the piece."
    if found.moves_made == 0:
        words += " The piece has not moved yet."
    if found.turn:
        words += f" It is turn {found.turn} of its side."
    return {"words": words, "svg": found._repr_svg_()}


def fit(marks: Sequence[Sequence[int]]) -> Json:
    """Which piece goes to these squares: [dx, dy, how] with how 1 to move, 2 to capture, 3 both."""
    betza = fitted({(x, y): how for x, y, how in marks})
    if not betza:
        return {"betza": "", "hasinu": "", "same": []}
    hasinu = _translated(understood(betza, "betza")[0], "hasinu")
    return {"betza": betza, "hasinu": hasinu["text"], **names(betza, "betza")}


def download(text: str, notation: str, form: str, standing: Standing) -> Json:
    """A piece as a file: its picture with what stands on the board, or its table."""
    piece, named = understood(text, notation)
    if form == "table":
        return {"content": compile(piece).to_json()}
    picture = picture_of(named or piece, standing)
    return {"content": picture.render(form).decode("utf-8")}


def rehearse() -> None:
    """Answer one of each kind, so that whatever is worked out once is there from then on."""
    for notation in NOTATIONS:
        answer("read", json.dumps(["N" if notation != "hasinu" else "n4dO", notation]))
    forms = ("svg", "table", "wikitext")
    questions: list[tuple[str, list[object]]] = [
        ("read", ["gryfon", "betza"]),
        ("elsewhere", ["afsW", "betza"]),
        ("names", ["FyafsF", "betza"]),
        ("compare", ["N", "betza", "nN", "betza"]),
        ("fit", [[[1, 2, 3], [-1, 2, 3]]]),
    ]
    questions += [("download", ["N", "betza", form, {}]) for form in forms]
    for call, arguments in questions:
        answer(call, json.dumps(arguments))
    from alfil.site import playing

    playing.rehearse()


CALLS: dict[str, Callable[..., Json]] = {
    "read": read_text,
    "elsewhere": elsewhere,
    "names": names,
    "compare": compare,
    "fit": fit,
    "download": download,
}
