"""What adapters written in Python have in common: a line in, a line out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

Case: TypeAlias = dict[str, Any]
Answer: TypeAlias = dict[str, Any]


def serve(answer: Callable[[Case], Answer]) -> None:
    """Answer every line of standard input."""
    for line in sys.stdin:
        case = json.loads(line)
        sys.stdout.write(json.dumps({"id": case["id"], **answer(case)}, ensure_ascii=False) + "\n")
        sys.stdout.flush()


def pieces(case: Case, kind: str) -> list[tuple[int, int]]:
    """Where the other pieces of one kind stand, counted from the piece."""
    return [(x, y) for x, y in case.get("board", {}).get(kind, ())]
