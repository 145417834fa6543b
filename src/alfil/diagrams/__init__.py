"""Diagrams: what a piece does on every square around it, and that as text."""
