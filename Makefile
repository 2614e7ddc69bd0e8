# Every target makes what it needs; start with `make demo` or `make test`.

PYTHON = python3
VENV = .venv
KERNELS = portable $(shell grep -qsw avx2 /proc/cpuinfo && echo avx2)

export PIP_DISABLE_PIP_VERSION_CHECK = 1

RUN = $(VENV)/bin/python -m
PIP = $(RUN) pip --quiet
PACKAGE := $(shell find src -type f -not -name '*.so' -not -name '*.pyc' -not -path '*.egg-info/*')
NATIVE := $(filter %.pyx %.pxd %.pxi %.h,$(PACKAGE))

.NOTPARALLEL:
.PHONY: help demo test test-long test-games test-kernels test-sanitized coverage lint docs bench \
	dist clean

help:
	@echo 'make demo            build the engine and show a game'
	@echo 'make test            the fast suite, with the examples of the documentation'
	@echo 'make test-long       the tests that take minutes'
	@echo 'make test-games      replay the recorded games in GAMES=DIR'
	@echo 'make test-kernels    the fast suite once with each kernel'
	@echo 'make test-sanitized  the fast suite under the address and undefined behaviour sanitizers'
	@echo 'make coverage        line coverage of Python and Cython sources'
	@echo 'make lint            formatting, style, types, stubs'
	@echo 'make docs            the documentation, into docs/_build'
	@echo 'make bench           the benchmarks'
	@echo 'make dist            source distribution and wheel of a release, into dist'
	@echo 'make clean           remove everything that was made'
	@echo
	@echo 'PYTHON=python3.13 chooses the interpreter, after `make clean`.'

demo: $(VENV)/.engine
	$(VENV)/bin/patchwork demo

test: $(VENV)/.engine $(VENV)/.group-test
	$(RUN) pytest

test-long: $(VENV)/.engine $(VENV)/.group-test
	$(RUN) pytest -m long

test-games: $(VENV)/.engine $(VENV)/.group-test
	@test -d '$(GAMES)' || { echo 'make test-games: GAMES="$(GAMES)" is no folder; say GAMES=DIR' >&2; exit 1; }
	GAMES='$(GAMES)' $(RUN) pytest -m games

test-kernels: $(VENV)/.engine $(VENV)/.group-test
	set -e; for kernel in $(KERNELS); do \
		echo "kernel: $$kernel"; \
		PATCHWORK_KERNEL=$$kernel $(RUN) pytest; \
	done

# PYTHONMALLOC shows the sanitizer each of Python's allocations, --capture=sys lets its report out.
test-sanitized:
	PATCHWORK_SANITIZE=1 $(MAKE) VENV=.venv-sanitize .venv-sanitize/.built .venv-sanitize/.group-test
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 \
	UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
		.venv-sanitize/bin/python -m pytest --capture=sys

coverage:
	PATCHWORK_TRACE=1 $(MAKE) VENV=.venv-trace .venv-trace/.built .venv-trace/.group-coverage
	export PATH="$(CURDIR)/.venv-trace/bin:$$PATH" PYTHONPATH=tests COVERAGE_CORE=ctrace; \
		coverage run -m pytest && coverage combine --quiet && coverage html --quiet && coverage report

lint: $(VENV)/.engine $(VENV)/.group-lint
	$(RUN) ruff check
	$(RUN) ruff format --check
	PATH="$(VENV)/bin:$$PATH" cython-lint src
	$(RUN) mypy
	$(RUN) mypy.stubtest patchwork --allowlist tests/stubtest-allowlist.txt

docs: $(VENV)/.engine $(VENV)/.group-docs
	$(RUN) sphinx --quiet --fail-on-warning --keep-going docs docs/_build/html

bench: $(VENV)/.engine $(VENV)/.group-bench
	$(RUN) pytest benchmarks

dist: $(VENV)/.group-release
	@test -z "$$(git status --porcelain)" || { echo 'make dist: commit everything first' >&2; exit 1; }
	@version=$$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml); \
		grep -q "^## \[$$version\]" CHANGELOG.md || \
		{ echo "make dist: CHANGELOG.md has no section for $$version" >&2; exit 1; }
	rm -rf dist
	$(RUN) build

clean:
	rm -rf build dist .venv .venv-* docs/_build htmlcov .coverage .hypothesis .benchmarks .*_cache
	rm -rf src/*.egg-info
	find src -name '*.so' -delete
	find . -name __pycache__ -prune -exec rm -r {} +

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit("$(PYTHON) is too old: say PYTHON=... (3.11 or later)" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'
	@touch $@

# The engine in place, for work on it: new Python code counts at once.
$(VENV)/.engine: $(VENV)/.made pyproject.toml setup.py $(NATIVE)
	$(PIP) install --editable .
	@touch $@

# A copy of the engine with the switches of the environment, beside the one in place.
$(VENV)/.built: $(VENV)/.made pyproject.toml setup.py $(PACKAGE)
	$(PIP) install .
	@touch $@

$(VENV)/.group-%: $(VENV)/.made pyproject.toml
	$(PIP) install --group $*
	@touch $@
