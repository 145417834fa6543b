"""Moves on boards, from an automaton or a compiled table."""
