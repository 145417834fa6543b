"""A game as a page to click through: a board for each move, and no script."""

from __future__ import annotations

from itertools import chain

from alfil.diagrams.html_page import escaped, static_page
from alfil.diagrams.picture import PictureLook
from alfil.diagrams.svg_document import ROOT_ATTRIBUTES, css_definitions_and_drawing, panel
from alfil.diagrams.text_outlines import number
from alfil.diagrams.themes import DEFAULT
from alfil.errors import AlfilError, reject
from alfil.play.game import Game
from alfil.play.records import san
from alfil.play.records.move_notations import usual_move_notation
from alfil.play.session import Round
from alfil.source import Source

# All boards of a page together have so many squares: 1,562 moves of chess, 77 on 36×36.
MOST_SQUARES = 100_000
# What is looked at is what the address points to; without that, the beginning, which stands last.
_CSS = """main{max-width:64rem;margin:auto;padding:1rem}
.stand{display:none}
.stand:target,.stand.first{display:block}
.stand:target~.first{display:none}
.stand svg{max-width:34rem;height:auto}
.steps a{padding:0 .4em}
@media (min-width:56rem){main{display:grid;grid-template-columns:3fr 2fr;gap:2rem}
.whole{grid-column:1/3}}
"""


def move_texts(played: Round) -> list[str]:
    """The moves of a game as its players write them: in SAN where squares are as in chess."""
    if usual_move_notation(played.game.variant) != "san":
        return played.texts
    game = played.beginning()
    texts = []
    for move in played.game.moves:
        texts.append(san.write(game, move))
        game.push(move)
    return texts


def render(played: Round, title: str, ending: str) -> str:
    """A page of a game: the board after each move, its comments, and all moves as links.

    Raises `AlfilError` of kind "too-much-work" where these boards have too many squares.
    """
    variant, last = played.game.variant, len(played.game.moves)
    most = MOST_SQUARES // (variant.files * variant.ranks)
    if last > most:
        message = f"a page of this game has at most {most:,} moves, not {last:,}"
        hint = "draw one position: alfil record FILE --at N -o OUT.svg"
        reject(AlfilError, "too-much-work", message, Source(title, "<page>"), hint=hint)
    texts = move_texts(played)
    game = played.beginning()
    boards = []
    for at in range(last + 1):
        if at:
            game.push(played.game.moves[at - 1])
        boards.append(_position_section(played, game, at, texts, ending if at == last else ""))
    night, definitions, drawn = css_definitions_and_drawing(
        "".join([*boards[1:], boards[0]]), DEFAULT
    )
    body = (
        f'<svg class="symbols" aria-hidden="true" width="0" height="0">{definitions}</svg>\n'
        f'{night}<main><h1 class="whole">{escaped(title)}</h1>\n<div>{drawn}</div>\n'
        f'<ol class="steps">{_move_links(played, texts)}</ol></main>'
    )
    return static_page(title, body, DEFAULT, _CSS)


def _position_section(played: Round, game: Game, at: int, texts: list[str], ending: str) -> str:
    """One position with its comments, and the way to the ones before and after it."""
    last = len(texts)
    comment = chain(played.comments.get(at, []), [ending] if ending else [])
    words = "".join(f"<p>{escaped(each)}</p>\n" for each in comment)
    name = texts[at - 1] if at else "the beginning"
    ways = [("first", 0), ("back", max(at - 1, 0)), ("on", min(at + 1, last))]
    links = "".join(f'<a href="#m{to}">{way}</a>' for way, to in [*ways, ("last", last)])
    first = "" if at else " first"
    return (
        f'<section class="stand{first}" id="m{at}">\n'
        f'<nav class="steps">{links}</nav>\n{_board_svg(game)}<h2>{escaped(name)}</h2>\n'
        f"{words}</section>\n"
    )


def _board_svg(game: Game) -> str:
    picture = game.picture()
    drawn = panel(picture.subject, PictureLook(picture.theme))
    box = f"0 0 {number(drawn.width)} {number(drawn.height)}"
    comment = escaped(picture.subject.words())
    return (
        f'<svg viewBox="{box}" {ROOT_ATTRIBUTES} role="img" '
        f'aria-label="{comment}">{drawn.body}</svg>\n'
    )


def _move_links(played: Round, texts: list[str]) -> str:
    """The moves in pairs, each a link to the position after it."""
    second = (played.game.side_to_move + len(texts)) % 2
    items: list[str] = []
    for at, each in enumerate(texts, 1):
        link = f'<a href="#m{at}">{escaped(each)}</a>'
        if (at - 1 + second) % 2 and items:
            items[-1] += link
        else:
            items.append(link)
    return "".join(f"<li>{each}</li>\n" for each in items)
