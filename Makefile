# Two commands are all a newcomer needs: `make run` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
DATA ?= .data
STAMP := .venv/.ready

.PHONY: run serve test fast check format lint types layers bench soak attack clean help

help:
	@echo "make run    set up and answer sample questions on the embedded default"
	@echo "make serve  set up and serve the page on this machine"
	@echo "make test   set up and run the tests"
	@echo "make fast   the tests for the inner loop: unit and contract, with a fifth of the random examples"
	@echo "make check  what to run before each commit: format, lint, types, layers, tests"
	@echo "make bench  benchmarks, each beside its reference"
	@echo "make soak   slow tests: kills, long sessions"
	@echo "make attack every attack of the suite, in full: class, tried, held, holes"

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "metaagent needs Python 3.11 or newer; '$(PYTHON)' is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[web,protocols]' --group dev
	@touch $@

run: $(STAMP)
	@$(BIN)/metaagent demo --data-dir $(DATA) --tour

serve: $(STAMP)
	@$(BIN)/metaagent demo --data-dir $(DATA) >/dev/null
	@$(BIN)/metaagent serve --data-dir $(DATA) --open

test: $(STAMP)
	$(BIN)/python -m pytest -n auto --dist worksteal -m 'not soak' $(PYTEST)

fast: $(STAMP)
	METAAGENT_EXAMPLES=fast $(BIN)/python -m pytest -n auto --dist worksteal -m 'not soak and not thorough' tests/unit tests/contract

check: format lint types layers test

format: $(STAMP)
	$(BIN)/ruff format --check .

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/basedpyright

layers: $(STAMP)
	$(BIN)/lint-imports

bench: $(STAMP)
	$(BIN)/python -m benchmarks

soak: $(STAMP)
	METAAGENT_EXAMPLES=random $(BIN)/python -m pytest

attack: $(STAMP)
	$(BIN)/python -m tests.attacks

clean:
	rm -rf .venv $(DATA) build dist *.egg-info
