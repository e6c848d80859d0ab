# hornbook: `make help` says what there is.
# Everything made lives in .venv/ (one environment per Python version) and build/.

.DEFAULT_GOAL := help
SHELL := /bin/bash

PYTHON ?= python3
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
VENV ?= .venv/$(VERSION)
BIN := $(VENV)/bin
SOURCES := $(shell find src -name '*.py' -o -name py.typed -o -path '*/assets/*') pyproject.toml $(wildcard README.md LICENSE)

# What a gate looks at; tools/prove_gates.py narrows these in its scratch copies.
TESTS ?= tests
COVERED ?= **
PROCESSES ?= 2
PAGES ?= README.md $(wildcard docs/*.md docs/bring-your-data/*.md docs/design/*.md docs/how-to/*.md)

GATES := lint format types architecture tests coverage doctests docs

help:  ## list what make can do
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo
	@echo 'PYTHON=python3.13 picks another Python, in an environment of its own; gates: $(GATES)'

demo: $(VENV)/installed  ## solve a few problems and check their certificates
	@bash tools/demo.sh $(abspath $(BIN))

test: $(VENV)/installed  ## run every gate: tests, lint, types, docs, ...
	@failed=; for gate in $(GATES); do \
	  echo; echo "=== gate: $$gate (Python $(VERSION))"; \
	  $(MAKE) --no-print-directory gate-$$gate || failed="$$failed $$gate"; \
	done; echo; \
	if [ -n "$$failed" ]; then echo "gates that failed:$$failed"; exit 1; fi; \
	echo "all gates passed: $(GATES)"

gate-lint:
	$(BIN)/ruff check .

gate-format:
	$(BIN)/ruff format --check .

gate-types:
	$(BIN)/python -m mypy

gate-architecture:
	$(BIN)/python -m pytest -q tests/test_architecture.py tests/test_house.py

gate-tests:
	@rm -rf build/coverage; mkdir -p build/coverage
	$(BIN)/python -m coverage run -m pytest -q -n $(PROCESSES) --dist loadfile $(TESTS)

gate-coverage:  # of what gate-tests ran
	@$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --include='src/hornbook/$(COVERED)'

gate-doctests:
	$(BIN)/python -m pytest -q --doctest-modules --pyargs hornbook
	$(BIN)/python -m pytest -q --doctest-glob='*.md' $(PAGES)

gate-docs:
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "built build/docs/index.html"

sweep: $(VENV)/installed  ## search for wrong answers at random; resumable, ROUNDS=1 of 100,000 instances
	@mkdir -p build
	$(BIN)/python -m tests.sweep --rounds $(or $(ROUNDS),1) --state build/sweep.json
	$(BIN)/python -m tests.float_sweep --rounds $(or $(ROUNDS),1) --state build/float_sweep.json
	$(BIN)/python -m tests.reader_sweep --rounds $(or $(ROUNDS),1)
	$(BIN)/python -m pytest -q -m sweep tests/cover
	$(BIN)/python -m tests.asked --count 100000

sweep-rays: $(VENV)/installed  ## the same for ray finders alone, all of them on every cone; resumable, ROUNDS=1 of 100,000
	@mkdir -p build
	$(BIN)/python -m tests.sweep_rays --rounds $(or $(ROUNDS),1) --state build/sweep-rays.json

bench: $(VENV)/installed build/peers/installed  ## measure against other programs, some minutes; FAMILIES="planted ..."
	OMP_NUM_THREADS=$(or $(OMP_NUM_THREADS),1) $(BIN)/python -m benchmarks $(FAMILIES)

bench-full: $(VENV)/installed build/peers/installed  ## the same with the large cases, some hours
	OMP_NUM_THREADS=$(or $(OMP_NUM_THREADS),1) $(BIN)/python -m benchmarks --full $(FAMILIES)

paper: $(VENV)/installed  ## run the paper again into docs/paper/, some minutes; ONLY="tower beyond"
	$(BIN)/python -m paper $(ONLY)

learners-optional: build/optional/installed  ## ask learners of libraries that are no dependency: cvxpy, statsmodels
	build/optional/bin/python tools/optional_learners.py

prove-gates: $(VENV)/installed  ## plant faults in a copy; every gate and every check must notice
	$(BIN)/python tools/prove_gates.py --venv $(VENV)

docs: $(VENV)/installed gate-docs  ## build the documentation into build/docs

clean:  ## remove everything that make made
	rm -rf .venv build .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A Python without ensurepip (as Debian ships it) makes an environment without pip; its own pip then fills that.
$(BIN)/python:
	@test -n "$(VERSION)" || { echo "$(PYTHON) does not run here. Try: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "hornbook needs Python 3.11 or newer; $(PYTHON) is $(VERSION). Try: make PYTHON=python3.11"; exit 1; }
	@mkdir -p $(dir $(VENV))
	$(PYTHON) -m venv --without-pip $(VENV)
	$(BIN)/python -m ensurepip --upgrade >/dev/null 2>&1 || \
	  $(PYTHON) -m pip --python $(BIN)/python install --quiet --ignore-installed pip || \
	  { rm -rf $(VENV); echo "$(PYTHON) has neither ensurepip nor pip 22.3 or newer; install python3-venv"; exit 1; }

# What is tested is the built wheel. Dependencies are looked at again when pyproject.toml changes.
$(VENV)/dependencies: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'hatchling>=1.25'
	@$(MAKE) --no-print-directory wheel
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "$$(echo $(VENV)/wheel/*.whl)[all]"
	@touch $@

$(VENV)/installed: $(VENV)/dependencies $(SOURCES)
	@$(MAKE) --no-print-directory wheel
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall $(VENV)/wheel/*.whl
	@touch $@

# Other programs to measure against, in an environment of their own; Debian has libcdd-dev and lrslib.
build/peers/installed: benchmarks/requirements.txt | $(BIN)/python
	@mkdir -p build
	$(BIN)/python -m venv --without-pip build/peers
	CFLAGS="-I/usr/include/cddlib -I/usr/include/cdd" $(BIN)/python -m pip --python build/peers/bin/python install \
	  --quiet --disable-pip-version-check -r benchmarks/requirements.txt
	@touch $@

# Learners that nobody here wrote, in an environment of their own: they pin what others need newer.
build/optional/installed: $(VENV)/installed
	@mkdir -p build
	$(BIN)/python -m venv --without-pip build/optional
	$(BIN)/python -m pip --python build/optional/bin/python install --quiet --disable-pip-version-check \
	  $(VENV)/wheel/*.whl cvxpy statsmodels
	@touch $@

wheel:
	@rm -rf $(VENV)/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w $(VENV)/wheel .

.PHONY: help demo test sweep sweep-rays bench bench-full paper learners-optional prove-gates docs clean wheel $(addprefix gate-,$(GATES))
