"""The engine: the rules of games in C, as one program (engine.h says what may be asked of it)."""
