"""Slow, simple second implementations that the tests compare the package with.

Nothing here imports the package, and nothing in the package imports this.
"""
