# make demo    install alfil in .venv and show a griffon from each notation
# make test    everything the gate runs: make check, the wheel in an empty environment, the browser
# make check   format, lint, types, tests and doctests
# make docs    what in docs/ is made by programs: tables, the rules of Hand shogi, pictures
# make gallery all pieces that come with alfil as a page, build/gallery/index.html
# make site    playground, games, gallery and documentation as static files, build/site; needs node, npm
# make variants FILES="a.ini b.ini"  conformance/variants.json: which games Fairy-Stockfish plays alike (hours)
# make scoreboard  docs/scoreboard.md: what each program answers to the cases in conformance/
# make bench   speed beside other programs, as one table, and whether the targets hold
# make figures the newest whole run of make bench, written into README.md and docs/performance.md
# make fuzz    inputs of every kind, an hour or FUZZ="--seconds 60 --jobs 2"; finds are kept as tests
# make mutants small changes to the program, and whether a test notices; MUTANTS="--count 600 --jobs 2"
# make site-figures  what visitors of the site wait for, measured in Chromium, into docs/site.md
# make wheels  the source archive, and a wheel for every platform, built by zig on this one, in dist/; needs node, npm
# make release-check  what is missing before the archives in dist/ can be released
# make clean   remove the environment and everything built

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# Stamps: the demo needs no test tools. An environment older than pyproject.toml is made anew.
MADE := $(VENV)/.made
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
DOCS := $(VENV)/.docs-installed

# To compile all that is installed takes half the time of installing it, and most is never loaded.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable

# To install builds the engine, so a change to what it is made from installs again.
ENGINE_SOURCES := hatch_build.py $(wildcard src/alfil/engine/*.[ch]) src/alfil/engine/building.py src/alfil/engine/rules.tsv

# Without it every process that the tests start would compile all of alfil again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo engine-checked test check types tests docs gallery site node-and-npm bench figures site-figures fuzz mutants clean scoreboard variants wheels release-check

demo: $(RUNTIME)
	$(BIN)/alfil show FyafsF
	$(BIN)/alfil show --from hasinu "1×4dD &t n4dO"

check: CHOSEN := -m "not wheel and not browser"

# Types are looked at by one process alone, so beside the tests.
check test: $(DEV)
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m ruff check .
	@$(MAKE) --no-print-directory --jobs=2 types tests CHOSEN='$(CHOSEN)'

types:
	$(BIN)/python -m mypy --strict src

# The tests of one file share what they have computed, so they stay together, and files begin in the
# order that tests/conftest.py gives them. Whatever is skipped is listed at the end, with the reason.
tests:
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -rs $(CHOSEN)

docs: $(RUNTIME)
	$(BIN)/python docs/usual_spellings.py
	$(BIN)/python docs/bent_columns.py
	$(BIN)/python docs/error_index.py
	$(BIN)/python docs/man_page.py
	$(BIN)/python docs/losses.py
	$(BIN)/python docs/rules_page.py
	$(BIN)/python docs/page_pictures.py
	$(BIN)/python docs/cheat_sheet.py
	$(BIN)/python editors/textmate.py

gallery: $(RUNTIME)
	$(BIN)/alfil gallery -o build/gallery

site: node-and-npm $(DOCS)
	rm -rf build/site/docs
	$(BIN)/alfil publish -o build/site
	$(BIN)/mkdocs build --quiet

# Random games of every variant and all known counts, with accesses and undefined behaviour checked.
engine-checked: $(DEV)
	$(BIN)/python tests/engine_checked.py

scoreboard: $(RUNTIME)
	$(BIN)/python conformance/gather.py
	$(BIN)/python conformance/scoreboard.py

variants: $(DEV)
	$(BIN)/python conformance/variants.py --games $(or $(GAMES),50) --record $(FILES)

bench: $(DEV)
	$(BIN)/python -m benchmarks

fuzz: $(DEV)
	$(BIN)/python tests/fuzz $(or $(FUZZ),--seconds 3600)

mutants: $(DEV)
	$(BIN)/python tests/mutants $(MUTANTS)

wheels: node-and-npm $(DEV)
	rm -rf dist build/browser
	$(BIN)/python hatch_build.py --browser build/browser
	$(BIN)/python -m build --no-isolation --sdist --outdir dist .
	for target in $$($(BIN)/python hatch_build.py --targets); do \
	  ALFIL_TARGET=$$target ALFIL_BROWSER=$(CURDIR)/build/browser \
	    $(BIN)/python -m build --no-isolation --wheel --outdir dist . || exit 1; done

release-check: $(DEV)
	$(BIN)/python hatch_build.py --release-check dist
	$(BIN)/python -m twine check --strict dist/*

figures:
	$(BIN)/python -m benchmarks --publish

site-figures: node-and-npm $(DEV)
	$(BIN)/python -m benchmarks.site

node-and-npm:
	@for tool in node npm; do command -v $$tool >/dev/null || \
	  { echo "this needs $$tool, which is not here; on Debian: apt-get install nodejs npm" >&2; exit 1; }; done

$(MADE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("alfil needs Python 3.11 or newer; name one with: make PYTHON=...")'
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(RUNTIME): $(MADE) $(ENGINE_SOURCES)
	$(INSTALL) .
	@touch $@

$(DOCS): $(MADE) $(ENGINE_SOURCES)
	$(INSTALL) ".[docs]"
	@touch $(RUNTIME) $@

$(DEV): $(MADE) $(ENGINE_SOURCES)
	$(INSTALL) ".[dev]"
	@touch $(RUNTIME) $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
