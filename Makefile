# A short front to CMake's presets; `make help` lists what there is.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build
.NOTPARALLEL:
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
PYTHON ?=
# clang 14's thread sanitizer does not start where address spaces are randomised widely; without randomisation it does
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: demo build test check format tidy tsan fuzz bench bench-solvers bench-peers roofline problems figures figures-stats gallery viewer test-viewer docs python wheel install clean help

demo: build ## set up, build, run an example and draw it
	build/moreau run sandpile -o sandpile.h5
	build/moreau export sandpile.h5 --to png -o sandpile.png
	@scripts/next_steps.sh

# an earlier configuration (with tests, say) is kept
build: ## set up and build the program: build/moreau
	@scripts/setup.sh build
	@test -f build/CMakeCache.txt || cmake --preset release -DBUILD_TESTING=OFF
	cmake --build build -j $(JOBS)

test: ## set up, build and run every test (the sanitizers first)
	@scripts/setup.sh test
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS)
	cmake --preset release -DBUILD_TESTING=ON -DMOREAU_WERROR=ON
	cmake --build --preset release -j $(JOBS)
	ctest --preset asan -j $(JOBS)
	ctest --preset release -j $(JOBS)
	viewer/tests/run.sh

check: format test tidy docs tsan fuzz ## everything: format, tests, clang-tidy, docs, threads, fuzzing

format: ## clang-format finds nothing to change
	@scripts/setup.sh check
	scripts/check_format.sh

tidy: ## clang-tidy finds nothing
	@scripts/setup.sh check
	cmake --preset asan
	scripts/check_tidy.sh build-asan $(JOBS)

tsan: ## thread sanitizer on the threaded tests
	@scripts/setup.sh check
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS)
	$(FIXED_ADDRESSES) ctest --preset tsan -j 1

fuzz: ## fuzz every reader for FUZZ_SECONDS (60) each
	@scripts/setup.sh check
	cmake --preset fuzz
	cmake --build --preset fuzz -j $(JOBS)
	scripts/fuzz.sh build-fuzz $(FUZZ_SECONDS)

bench: build ## run the benchmarks: time per contact, and a pile at rest
	build/bench/bench_pile
	build/bench/bench_settled

# FCLIB files are looked for in MOREAU_FCLIB; SOLVERS_ARGS goes to compare.py (--quick, --again moreau, --only 'Rover*')
bench-solvers: build ## compare the solvers with Siconos on FCLIB files: docs/benchmarks/solvers.md
	@bench/solvers/reference.sh
	cmake -S . -B build
	cmake --build build -j $(JOBS) --target solvers
	python3 bench/solvers/compare.py --build build $(SOLVERS_ARGS)
	python3 bench/solvers/report.py --build build $(if $(findstring --quick,$(SOLVERS_ARGS)),--results bench/results/solvers-quick.csv --text)

# then: build/moreau bench A B C --against bullet,ode,box2d,lammps
bench-peers: build ## build the drivers of other programs that `moreau bench` compares with: docs/benchmarks/peers.md
	@bench/peers/packages.sh
	cmake -S bench/peers -B build/bench/peers
	cmake --build build/bench/peers -j $(JOBS)

roofline: build ## bandwidth, peak and what the sweeps reach of them: docs/benchmarks/roofline.md
	cmake --build build -j $(JOBS) --target bench_roofline
	build/bench/bench_roofline --page docs/benchmarks/roofline.md

problems: build ## make the families of contact problems: build/problems
	cmake --build build -j $(JOBS) --target problem_facts
	python3 bench/problems/make.py --build build --page

viewer: ## build the page that shows runs: viewer/dist/viewer.html (needs npm)
	cd viewer && npm ci --no-audit --no-fund && npm run build

test-viewer: ## test that page in Chromium (says so and stops where npm or Chromium is missing)
	@viewer/tests/run.sh

# FIGURES="--only biaxial" makes one of them
figures: build ## reproduce the papers' figures: docs/figures, tables and drawings in build/figures
	python3 scripts/figures/figures.py $(FIGURES)

# finished runs are kept in docs/figures/data; STATS="--minutes 30" begins none after that
figures-stats: build ## sandpile and biaxial test with many seeds: docs/figures/statistics.md; hours, goes on where it was
	python3 scripts/figures/stats.py $(STATS)

gallery: build ## pictures of the examples: docs/gallery.md
	python3 scripts/figures/gallery.py $(GALLERY)

docs: ## links in the documentation lead somewhere
	python3 scripts/check_docs.py

# links build/python into the interpreter's own list of folders; PYTHON= another interpreter
python: ## build the Python package; then `import moreau` works: docs/guide/python.md
	@scripts/setup.sh python
	@scripts/python.sh link build $(JOBS) "$(PYTHON)"

wheel: ## the Python package as a wheel in build/wheel
	@scripts/setup.sh python
	@scripts/python.sh wheel build $(JOBS) "$(PYTHON)"

install: build ## install program, library and headers under PREFIX (/usr/local)
	cmake --install build --prefix "$(PREFIX)"

clean: ## remove all builds
	rm -rf build build-dev build-asan build-tsan build-fuzz build-coverage

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24
