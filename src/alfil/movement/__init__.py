"""The movement: what a piece may do, in one tree for all notations."""
