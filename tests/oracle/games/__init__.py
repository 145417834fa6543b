"""Games like shogi by their rules alone: dict boards, offsets, and nothing of alfil."""
