"""The notations: a grammar, a lexicon, a reader and a writer for each, around one tree."""
