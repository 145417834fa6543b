"""betza-visualizer answers: it draws empty boards, so it is asked about those."""

from __future__ import annotations

from betza_visualizer import BetzaParser  # type: ignore[import-not-found] # where it is installed
from serving import Answer, Case, serve

PARSER = BetzaParser()
SIZE, FAR = 15, 7


def answer(case: Case) -> Answer:
    """The squares it draws, but those that only a capture reaches."""
    if case["dialect"] != "betza":
        return {"skipped": f"it has no {case['dialect']}"}
    if case.get("board"):
        return {"skipped": "it draws empty boards"}
    try:
        found = PARSER.parse(case["text"], board_size=SIZE)
    except (ValueError, KeyError, IndexError) as error:
        return {"refused": str(error)}
    ends = {
        (move["x"], move["y"])
        for move in found
        if move["move_type"] != "capture" and max(abs(move["x"]), abs(move["y"])) <= FAR
    }
    return {"ends": sorted(ends)}


if __name__ == "__main__":
    serve(answer)
