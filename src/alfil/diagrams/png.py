"""Pictures as PNG, rasterised by resvg, which comes with the extra ``png``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alfil.diagrams.picture import Picture
from alfil.diagrams.svg import svg
from alfil.errors import AlfilError, Finding
from alfil.source import Source, Span

if TYPE_CHECKING:
    from alfil.diagrams.formats import Look

# Twice as many pixels as the SVG has units, for screens with small pixels.
ZOOM = 2
INSTALL = "pip install 'alfil[png]'"


def rendered(picture: Picture, look: Look) -> bytes:
    """A picture as PNG; `AlfilError` of kind "missing-extra" where resvg is not installed."""
    return rasterised(svg(picture, look.theme), look.size)


def rasterised(document: str, width: int | None = None) -> bytes:
    """An SVG document as PNG, so many pixels wide or else twice its own size."""
    try:
        import resvg_py  # noqa: PLC0415 - an extra, loaded only when it is needed
    except ImportError:
        finding = Finding(
            "missing-extra", "png needs the package resvg-py", (Span(0, 3),), f"run: {INSTALL}"
        )
        raise AlfilError([finding], Source("png", "<format>")) from None
    if width is None:
        made = resvg_py.svg_to_bytes(svg_string=document, zoom=ZOOM, skip_system_fonts=True)
    else:
        made = resvg_py.svg_to_bytes(svg_string=document, width=width, skip_system_fonts=True)
    return bytes(made)
