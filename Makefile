# make demo: resolve a bundled charge and draw it.  make test: lint, types, and the quick tests.
# make test-all: the slow tests too, and whether all of them reach every branch of readers and judges.  make durations: record which are slow.
# make page: the table in the browser; FILE=... for what lies on it first.
# make gallery: every bundled scenario drawn onto one page, gallery/index.html.
# make docs: the documentation as a site, build/docs/index.html; all its figures are drawn from their scenarios.
# make bench: speed, as ratios.  make oracle: thousands of scenes against brute force.  make fuzz: a million hostile files.
# make lowest: the fast tests with the lowest versions that pyproject.toml allows.
# make mutants: deliberate faults, and whether the tests notice them; COUNT=... of them.
# PYTHON=... chooses the interpreter.
PYTHON ?= python3
VENV := .venv
# A thread of its own for each sum keeps the other cores from their work.
export OPENBLAS_NUM_THREADS := 1
# Tests start the program hundreds of times: what is compiled is kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=
export MYPY_NUM_WORKERS := 2
BIN := $(VENV)/bin
TESTS := $(BIN)/python -m pytest -q -n auto --dist loadgroup --no-loadscope-reorder
SCENARIO := t9a/wheel-and-align
# What measures coverage, of the modules that pyproject.toml names: of the quick tests, and of those slow ones that read files and judge.
COVERED := --cov --cov-report= --cov-fail-under=0
READING := tests/cli tests/scenario tests/tabletop/settling tests/exploring/test_grid_values.py \
	$(addprefix tests/test_,extremes.py faulty_systems.py second_opinion.py warband.py) $(wildcard tests/systems/*/test_judge*.py) \
	$(addprefix tests/systems/,conquest/test_align.py conquest/test_oracle.py t9a/test_combined.py t9a/test_many.py t9a/test_unaligned.py \
	wh40k/test_budget.py wh40k/test_move.py)
COUNT ?= 400
LOWEST := .venv-lowest
# What reads files and talks to people, all rulings, and the geometry that hangs on NumPy, SciPy and Shapely.
FAST := tests/cli tests/scenario tests/test_golden.py tests/tabletop/table/test_facing.py tests/tabletop/geometry/test_motion.py tests/tabletop/optimise/test_scipy_solver.py \
	tests/tabletop/geometry/test_shape.py tests/systems/*/test_vocabulary.py

.PHONY: demo page gallery docs test rest test-all durations lowest bench oracle fuzz mutants
.DELETE_ON_ERROR:

demo: $(VENV)/.installed
	mkdir -p demo
	$(BIN)/tabletop resolve $(SCENARIO) --figure demo/t9a-charge.svg --figure demo/t9a-charge.png

page: $(VENV)/.installed
	$(BIN)/tabletop page $(FILE)

gallery: $(VENV)/.installed-docs
	PYTHONPATH=docs $(BIN)/python -m made.gallery -o gallery --sheet docs/gallery.png

docs: $(VENV)/.installed-docs
	$(BIN)/python -m sphinx -W --keep-going -j auto -d build/docs-trees docs build/docs

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(TESTS) -m 'not slow and not oracle' $(COVER)

# The slow tests but the long ones; a process more than cores, since many wait for a browser or a server.
SLOW := $(TESTS) -n $(shell expr $$(nproc) + 1)
rest: $(VENV)/.installed-dev
	$(SLOW) -m 'slow and not long and not oracle'

# All but the oracles, and whether the tests reach every branch of readers and judges.
test-all:
	$(MAKE) test COVER='$(COVERED)'
	$(TESTS) -m 'slow and not oracle' $(COVERED) --cov-append $(READING)
	$(BIN)/python -m coverage report
	$(SLOW) -m 'slow and not oracle' $(addprefix --ignore=,$(READING)) tests tabletop systems plots

durations: $(VENV)/.installed-dev
	$(TESTS) -m 'not oracle' --record-slow

# Old releases warn of what newer ones of their own needs have changed: that is theirs.
lowest: $(LOWEST)/.installed
	$(LOWEST)/bin/python -m pytest -q -n auto --dist loadgroup --no-loadscope-reorder -o filterwarnings=default $(FAST)

bench: $(VENV)/.installed-dev $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks

oracle: $(VENV)/.installed-dev
	$(BIN)/python -m tests.oracles.run 1000
	$(BIN)/python -m tests.oracles.run 300 0 combined
	$(BIN)/python -m tests.oracles.run 1000 0 judged
	$(BIN)/python -m tests.oracles.unaligned 300
	$(BIN)/python -m tests.oracles.conquest 1000
	$(BIN)/python -m tests.oracles.conquest judged 300
	$(BIN)/python -m tests.oracles.routes 100
	$(BIN)/python -m tests.oracles.battletech 1000
	$(BIN)/python -m tests.oracles.battletech judged 300
	$(BIN)/python -m tests.oracles.wh40k 200
	$(BIN)/python -m tests.oracles.wh40k plans 3000
	$(BIN)/python -m tests.oracles.wh40k steps 200
	$(BIN)/python -m tests.oracles.wh40k flights 200
	$(BIN)/python -m tests.oracles.wh40k small 200
	$(BIN)/python -m tests.oracles.second bundled
	for game in t9a t9a-unaligned t9a-combined conquest wh40k; do $(BIN)/python -m tests.oracles.second $$game 200 || exit 1; done
	for game in t9a t9a-combined conquest wh40k battletech; do $(BIN)/python -m tests.oracles.printed $$game 200 || exit 1; done
	for game in t9a t9a-combined conquest wh40k wh40k-flights wh40k-again wh40k-followed battletech; do \
		$(BIN)/python -m tests.oracles.agreed $$game 200 || exit 1; done
	$(BIN)/python -m tests.oracles.agreed wh40k-small 30
	for game in t9a conquest wh40k; do $(BIN)/python -m tests.oracles.measured $$game 200 || exit 1; done
	for game in t9a conquest wh40k battletech; do $(BIN)/python -m tests.oracles.extreme $$game 2000 || exit 1; done
	$(TESTS) -m oracle tests

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# What reaches new parts of the reader is added to the corpus.
fuzz: $(VENV)/.installed-dev $(VENV)/.installed-fuzz
	$(BIN)/python -m tests.fuzzing -runs=1000000 -max_len=4096 -timeout=2 -rss_limit_mb=512 tests/fuzzing/corpus

mutants: $(VENV)/.installed-dev $(VENV)/.installed-mutants
	$(BIN)/python -m tests.mutants $(COUNT)

# A stamp per set of dependencies, so that nothing is installed twice.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[page]'
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-bench $(VENV)/.installed-docs $(VENV)/.installed-fuzz $(VENV)/.installed-mutants: $(VENV)/.installed-%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[$*]'
	touch $@

$(LOWEST)/.installed: pyproject.toml
	test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check 'uv>=0.5'
	$(LOWEST)/bin/python -m uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable '.[dev]'
	touch $@
