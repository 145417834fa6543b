"""Everything that can be written has a meaning, from the pages that people read."""

from alfil.game.rule_table import RULES  # what there is, the pages have to explain
from alfil.keyword_help import key_meanings, letters, rule_values
from alfil.library.constraints import PREDICATES
from alfil.library.field_parsers import FIELD_TYPES, MOVEMENT_KEYS, OTHER_KEYWORDS
from alfil.library.field_parsers import RULES as RULE_NAMES
from alfil.notation.betza.letters import DIALECTS
from alfil.notation.hasinu.lexicon import FUNCTIONS


def test_each_key_word_and_test_has_a_meaning() -> None:
    known = {*FIELD_TYPES, *MOVEMENT_KEYS, *OTHER_KEYWORDS, *PREDICATES}
    assert known - key_meanings().keys() == set()
    assert all(words[0] != "|" and len(words) > 5 for words in key_meanings().values())
    assert key_meanings()["promotes"].startswith("the code of the promoted piece")


def test_each_rule_has_its_values() -> None:
    """The page has all values of the table."""
    assert rule_values().keys() == RULE_NAMES.keys()
    for rule in RULES:
        if rule.cardinality == "one":
            assert all(value in rule_values()[rule.name] for value in rule.values), rule.name


def test_each_letter_of_a_dialect_has_a_meaning_there() -> None:
    for name, dialect in DIALECTS.items():
        found = {each.text: each.meaning for each in letters(name)}
        assert set(dialect.atoms) | set(dialect.modes) <= found.keys()
        assert all(found.values())
    assert FUNCTIONS.keys() <= {each.text for each in letters("hasinu")}
