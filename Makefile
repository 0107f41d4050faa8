# Everything runs in a virtual environment in the checkout; each target makes what it needs and is quick to run again.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo app test quick fuzz lint format bench dist clean help

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/'

# One stamp per set of extras: a target installs what it needs, once, and again when the requirements change.
$(VENV)/stamp-%: setup.cfg pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$*]'
	touch $@

$(VENV)/stamp: setup.cfg pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

# The tests of the training hooks need torch, in a CPU build. The usual wheels for Linux are CUDA builds of gigabytes, so the
# CPU one is asked for by its name; where the configured indexes have none, these tests are skipped and say so.
# `make test TORCH=torch` takes whatever there is; PIP_EXTRA_INDEX_URL adds an index that has CPU builds.
TORCH ?= torch==2.13.0$(if $(filter Linux,$(shell uname -s)),+cpu)

$(VENV)/stamp-train: $(VENV)/stamp-test
	if $(BIN)/python -m pip install --quiet --disable-pip-version-check '$(TORCH)'; then \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train,trl]' '$(TORCH)' && touch $@; \
	else echo 'No $(TORCH) here: the tests of the training hooks will be skipped (see TORCH in the Makefile).'; fi

demo: $(VENV)/stamp  ## score the bundled examples through evaluate.load and show the table
	$(BIN)/python examples/demo.py

app: $(VENV)/stamp-spaces  ## serve the pages of all metrics at http://127.0.0.1:7860
	$(BIN)/tricord app

test: $(VENV)/stamp-test $(VENV)/stamp-train  ## run all tests and doctests
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

quick: $(VENV)/stamp-test  ## run the tests that start no other process: no browser, no wheel, no command
	$(BIN)/python -m pytest -n auto --dist loadfile --quick

# A failure is kept in .hypothesis, so that the next run begins with it; the message tells how to make it a test of its own.
FUZZ_SECONDS ?= 300
fuzz: $(VENV)/stamp-test  ## draw new examples for FUZZ_SECONDS (300) and keep the failing ones
	end=$$(($$(date +%s) + $(FUZZ_SECONDS))); while [ $$(date +%s) -lt $$end ]; do \
	  timeout --foreground $$((end - $$(date +%s) + 1)) $(BIN)/python -m pytest -n auto -m hypothesis \
	    --hypothesis-profile fuzz --quick || { status=$$?; [ $$status = 124 ] || exit $$status; }; done

lint: $(VENV)/stamp-lint  ## ruff, mypy and the directions of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(VENV)/stamp-lint  ## let ruff lay out and mend the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/stamp-test $(VENV)/stamp-bench $(VENV)/stamp-train  ## print the speed and memory ratios that the README quotes
	status=0; for script in benchmarks/bench_*.py; do $(BIN)/python $$script || status=1; done; exit $$status

dist: $(VENV)/stamp-dist  ## build the wheel and the source distribution
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

clean:  ## remove what the other targets made
	rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
