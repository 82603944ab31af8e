# `make demo`, `make test` and `make ui` need Python 3.11-3.14 (with venv) and make; all else
# they install into .venv. Versions are pinned in constraints.txt.
SHELL := /bin/bash
PYTHON ?= $(shell for v in 3.11 3.12 3.13 3.14; do command -v python$$v && break; done || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test ui check test-kill test-postgres test-vllm fuzz clean

help:
	@echo "make demo          both lines on the sample corpus, with the embedded engine"
	@echo "make ui            the Dagster UI and the pages, on the same storage"
	@echo "make test          all tests, with coverage"
	@echo "make check         lint, format, types, layers, definitions"
	@echo "make fuzz          mutated inputs against every reader (FUZZ=\"--count N --seed S\")"
	@echo "make test-kill     kills runs and resumes them"
	@echo "make test-postgres Dagster storage and call cache on Postgres"
	@echo "make test-vllm     both lines through vLLM on CPU, in process and served (.venv-vllm)"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] < (3, 15) else "g2_pipelines needs Python 3.11 to 3.14, this is " + sys.version.split()[0] + ": set PYTHON=…")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: $(VENV)/.installed
	$(BIN)/g2 demo

ui: $(VENV)/.installed
	$(BIN)/g2 ui

test: $(VENV)/.installed-dev
	$(BIN)/python -m coverage erase
	$(BIN)/python -m pytest -n 2 --dist loadfile --cov --cov-report=term:skip-covered

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/dg check defs

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .coverage*

test-postgres: $(VENV)/.installed-dev
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[postgres]'
	$(BIN)/python -m pytest g2_pipelines_tests/defs/test_postgres.py g2_pipelines_tests/models/test_postgres.py

test-kill: $(VENV)/.installed-dev
	G2_TEST_KILLS=10 G2_TEST_CALL_KILLS=20 G2_TEST_DAEMON=1 $(BIN)/python -m pytest g2_pipelines_tests/models/test_kill.py g2_pipelines_tests/models/test_processes.py g2_pipelines_tests/defs/test_kill.py g2_pipelines_tests/defs/test_daemon.py

fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m g2_pipelines_tests.fuzz $(FUZZ)

# An environment of its own: vLLM's CPU build pins other versions of some packages.
test-vllm:
	$(PYTHON) g2_pipelines_tests/vllm/environment.py .venv-vllm
	G2_TEST_VLLM=1 .venv-vllm/bin/python -m pytest -p no:cacheprovider -W default g2_pipelines_tests/vllm
