"""The Markdown of rules pages as HTML: headings, lists, tables, code, emphasis, links, pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

INLINE = re.compile(
    r"(`+)(?P<code>.+?)\1|!\[(?P<alt>[^\]]*)\]\((?P<src>[^)]*)\)"
    r"|\[(?P<text>[^\]]*)\]\([^)]*\)|\*\*(?P<strong>[^*]+)\*\*|\\(?P<sign>[|\\`*_\[\]<])"
)
# The page's own; an author's sign of one has a backslash before it.
COMMENT_LINE = re.compile(r"^<!--.*-->$", re.MULTILINE)
CELLS = re.compile(r"(?<!\\)\|")


def markdown_to_html(text: str) -> str:
    r"""Markdown as the rules pages use it, as HTML; what stands in it is never taken for HTML.

    A picture is an element with its name as data, for the page to fill in; a link is its text.

    >>> markdown_to_html("# A & B\n\n- **one** `<i>`\n- two")
    '<h1>A &amp; B</h1>\n<ul><li><strong>one</strong> <code>&lt;i&gt;</code></li><li>two</li></ul>'
    """
    return "\n".join(_block_html(each) for each in _split_blocks(COMMENT_LINE.sub("", text)))


def _split_blocks(text: str) -> Iterator[str]:
    """The blocks between blank lines; a fence keeps its own."""
    for number, part in enumerate(re.split(r"^```\w*\n(.*?)^```$", text, flags=re.M | re.S)):
        if number % 2:
            yield f"```{part}"
        else:
            yield from (each for each in re.split(r"\n\s*\n", part.strip("\n")) if each.strip())


def _block_html(block: str) -> str:
    if block.startswith("```"):
        return f"<pre>{escape(block[3:].rstrip())}</pre>"
    heading = re.fullmatch(r"(#{1,4}) (.*)", block)
    if heading:
        level = len(heading[1])
        return f"<h{level}>{_inline_html(heading[2])}</h{level}>"
    lines = block.split("\n")
    if lines[0].startswith("|"):
        return _table_html(lines)
    if lines[0].startswith("- "):
        items = re.split(r"^- ", block, flags=re.MULTILINE)[1:]
        return f"<ul>{''.join(f'<li>{_inline_html(each.strip())}</li>' for each in items)}</ul>"
    return f"<p>{_inline_html(' '.join(lines))}</p>"


def _table_html(lines: list[str]) -> str:
    head, _, *rows = [CELLS.split(line.strip()[1:-1]) for line in lines]
    body = "".join(f"<tr>{_cells_html(row, 'td')}</tr>" for row in rows)
    top = f"<thead><tr>{_cells_html(head, 'th')}</tr></thead>"
    return f'<div class="wide"><table>{top}<tbody>{body}</tbody></table></div>'


def _cells_html(row: list[str], tag: str) -> str:
    return "".join(f"<{tag}>{_inline_html(cell.strip())}</{tag}>" for cell in row)


def _inline_html(text: str) -> str:
    parts, end = [], 0
    for match in INLINE.finditer(text):
        parts += [escape(text[end : match.start()]), _inline_match_html(match)]
        end = match.end()
    return "".join([*parts, escape(text[end:])])


def _inline_match_html(match: re.Match[str]) -> str:
    result = match.groupdict()
    if result["code"] is not None:
        return f"<code>{escape(result['code'].replace(chr(92) + '|', '|'))}</code>"
    if result["src"] is not None:
        alt, src = escape(result["alt"]), escape(result["src"])
        return f'<span class="picture" data-picture="{src}" data-alt="{alt}"></span>'
    if result["strong"] is not None:
        return f"<strong>{_inline_html(result['strong'])}</strong>"
    return _inline_html(result["text"]) if result["text"] is not None else escape(result["sign"])
