"""Ħasínū, also called RLUWDCP."""
