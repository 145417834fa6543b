"""Moves on boards: walked from an automaton, or read from a compiled table."""
