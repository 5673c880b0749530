# The commands a person types here are the commands that CI runs. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# The first interpreter that is new enough and can make environments; `make PYTHON=... test` overrides.
SUITABLE := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$name -c "$(SUITABLE)" >/dev/null 2>&1 && { echo $$name; break; }; done)

VENV := .venv
BIN := $(VENV)/bin
DEMO := $(VENV)/.installed-notebook
DEV := $(VENV)/.installed-dev
NOTEBOOK := notebooks/01_quickstart.ipynb
FRONTEND := hutch_lineage/explorer/frontend
MODULES := $(FRONTEND)/node_modules/.installed
BENCH := $(VENV)/.installed-bench
PEERS := benchmarks/explorer/node_modules/.installed
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

# The kernel of this environment is used even where the user has one of the same name.
export JUPYTER_PREFER_ENV_PATH := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# A page that fetches nothing: neither scripts that it does not need nor the state of a widget.
NO_CDN := --HTMLExporter.require_js_url=data:, --HTMLExporter.mathjax_url=data:,
ONLY ?=

.PHONY: help demo test aside lint format types layers js bundle unit browser wheel nbval notebooks marquez backends docs pictures bench soak clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(DEMO) ## open the quickstart in JupyterLab (HEADLESS=1: run it to build/quickstart.html)
ifeq ($(HEADLESS),1)
	@mkdir -p build
	$(BIN)/jupyter nbconvert --to html --execute $(NOTEBOOK) \
		--ExecutePreprocessor.kernel_name=python3 --ExecutePreprocessor.store_widget_state=False \
		$(NO_CDN) \
		--output-dir build --output quickstart
	@echo "The executed quickstart is in $(CURDIR)/build/quickstart.html"
else
	$(BIN)/jupyter lab $(AS_ROOT) --LabApp.default_url=/lab/tree/$(NOTEBOOK)
endif

test: lint layers js ## everything that guards the project
	@$(MAKE) --no-print-directory -j2 aside unit

# What takes a few minutes itself, beside the tests, which take many.
aside:
	@for each in types docs nbval; do $(MAKE) --no-print-directory $$each; done

lint: $(DEV) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(DEV) ## rewrite the sources as ruff wants them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(DEV) ## mypy, strict
	$(BIN)/mypy

layers: $(DEV) ## the rooms import downward only
	$(BIN)/lint-imports

js: ## node --test on the front end (needs Node and npm; CI insists on them)
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
		$(MAKE) --no-print-directory $(MODULES) && node --test tests/frontend/*.test.mjs; \
	elif [ "$${CI:-}" = true ]; then \
		echo "node or npm is missing: the tests of the front end cannot run" >&2; exit 1; \
	else \
		echo "no Node here: the tests of the front end are left out"; \
	fi

bundle: $(MODULES) ## build the front end into hutch_lineage/explorer/static (needs npm)
	cd $(FRONTEND) && npm run build

unit: $(DEV) ## pytest: unit, property, contract, browser and wheel tests (ONLY=... narrows it)
	$(BIN)/python -m pytest $(ONLY)

browser: $(DEV) ## only the tests in headless Chromium
	$(BIN)/python -m pytest -m "browser or lab"

wheel: $(DEV) ## only the tests of the built wheel
	$(BIN)/python -m pytest -m wheel

nbval: $(DEV) ## run the notebooks and compare their outputs
	$(BIN)/python -m tests.notebooks.with_marquez $(BIN)/python -m pytest -p no:randomly --nbval --nbval-current-env \
		--nbval-sanitize-with tests/notebooks/sanitize.cfg notebooks

notebooks: $(DEV) ## execute the notebooks anew, in place
	$(BIN)/python -m tests.notebooks.with_marquez $(BIN)/python tests/notebooks/refresh.py \
		notebooks/*.ipynb

PORT ?= 5000
FOLDER ?= build/marquez/data
marquez: | $(BIN)/python ## start a Marquez at http://localhost:5000 (PORT=..., FOLDER=...); Ctrl-C stops it
	@$(BIN)/python -m tests.support.marquez --port $(PORT) --folder "$(FOLDER)"

backends: $(DEV) ## measure what a Marquez shows, for docs/backends.md (takes a quarter of an hour)
	$(BIN)/python -m tests.backends.table

docs: $(DEV) ## build the documentation into site/, warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

pictures: $(DEV) ## take the pictures of the documentation anew (needs Chromium)
	$(BIN)/python docs/pictures.py

bench: $(BENCH) ## print the benchmark ratios (ONLY="explorer --quick" narrows it; the peers need npm)
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(PEERS); fi
	$(BIN)/python -m benchmarks $(ONLY)

SCHEDULES ?= 5000
soak: $(DEV) ## the fault campaign of delivery, at length (SCHEDULES=5000)
	$(BIN)/python -m tests.delivery.campaign $(SCHEDULES)

clean: ## remove what the commands above made
	rm -rf $(VENV) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(MODULES): $(FRONTEND)/package-lock.json
	cd $(FRONTEND) && npm ci --no-audit --no-fund
	@touch $@

$(PEERS): benchmarks/explorer/package-lock.json
	cd benchmarks/explorer && npm ci --no-audit --no-fund
	@touch $@

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Python 3.11 or newer with its venv module is needed; name one with make PYTHON=..." >&2; exit 1; \
	fi
	@$(PYTHON) -c "$(SUITABLE)" || { \
		echo "$(PYTHON) is older than Python 3.11 or has no venv module" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(DEMO): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[notebook]"
	@touch $@

$(DEV): pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet -e ".[notebook,test,docs,dev]"
	@touch $@ $(DEMO)

$(BENCH): $(DEV)
	$(BIN)/python -m pip install --quiet -e ".[notebook,test,docs,dev,bench]"
	@touch $@
