# Postern's front door: `make` lists what there is.
# Each target installs what it needs first (scripts/install-deps.sh); POSTERN_NO_INSTALL=1 makes it only check.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
SECONDS_EACH ?= 3
BUILD := build/release
LAUNCHER := $(if $(shell command -v ccache),-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

# configure-and-build PRESET, further cmake arguments
define build_preset
cmake --preset $(1) $(LAUNCHER) $(2)
cmake --build build/$(1) -j $(JOBS)
endef
define run_tests
ctest --test-dir build/$(1) --output-on-failure --no-tests=error -j $(JOBS) $(2)
endef

.PHONY: help deps build install demo test bench bench-peers campaign-falcon fuzz ct asan clang tidy format format-check artifacts clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' Makefile

deps: ## install everything that building and testing needs (Debian packages, npm packages)
	@scripts/install-deps.sh build test

build: ## build the library and the postern command (build/release)
	@scripts/install-deps.sh build
	$(call build_preset,release,-DPOSTERN_BUILD_TESTS=OFF)

install: build ## install the library and the command under PREFIX (/usr/local)
	cmake --install $(BUILD) --prefix $(PREFIX)

demo: build ## key, signature, verdicts natively and on chain, gas by region, on a message file
	@scripts/demo.sh $(BUILD)

test: ## build everything and run the whole test suite
	@scripts/install-deps.sh build test
	$(call build_preset,release,-DPOSTERN_BUILD_TESTS=ON)
	$(call run_tests,release,)

bench: ## native speed of every operation, and of the embedded EVM
	@scripts/install-deps.sh build bench
	cmake -S . -B build/bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DPOSTERN_BUILD_BENCH=ON -DPOSTERN_BUILD_TESTS=OFF $(LAUNCHER)
	cmake --build build/bench -j $(JOBS)
	build/bench/src/cli/postern bench
	@set -e; for program in build/bench/bench/*_bench; do echo "== $$program"; $$program; done

bench-peers: ## native speed beside other implementations: PEERS=folder with liboqs, c-fn-dsa, boringssl; LIMIT=1.5 fails above that ratio
	@[ -n "$(PEERS)" ] || { echo "bench-peers: say where their sources are: make bench-peers PEERS=folder (liboqs, c-fn-dsa, boringssl in it)"; exit 2; }
	@scripts/install-deps.sh build bench
	@scripts/build-peers.sh "$(PEERS)" build/peers
	cmake -S . -B build/bench -G Ninja -DCMAKE_BUILD_TYPE=Release -DPOSTERN_BUILD_BENCH=ON -DPOSTERN_BUILD_TESTS=OFF $(LAUNCHER)
	cmake --build build/bench -j $(JOBS) --target native_peers
	build/bench/bench/native_peers build/peers --seconds $(SECONDS_EACH) $(if $(LIMIT),--limit $(LIMIT)) $(SCHEMES)

campaign-falcon: ## 10,000 Falcon signatures a degree and 2,000,000 samples a point: distributions against the specification
	@scripts/install-deps.sh build test
	cmake --preset release $(LAUNCHER) -DPOSTERN_BUILD_TESTS=ON
	cmake --build build/release -j $(JOBS) --target falcon_statistics_test
	POSTERN_FALCON_SIGNATURES=10000 POSTERN_FALCON_SAMPLES=2000000 build/release/tests/unit/falcon/falcon_statistics_test

fuzz: ## run every libFuzzer target for FUZZ_SECONDS (60) seconds
	@scripts/install-deps.sh build clang
	$(call build_preset,fuzz,)
	@scripts/fuzz.sh build/fuzz $(FUZZ_SECONDS)

ct: ## constant-time check under valgrind: secrets must not reach a branch or an index
	@scripts/install-deps.sh build test valgrind
	cmake --preset ct $(LAUNCHER)
	cmake --build build/ct -j $(JOBS) --target tests/ct/all
	$(call run_tests,ct,-L '^ct$$')

asan: ## the test suite under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/install-deps.sh build test
	$(call build_preset,asan-ubsan,)
	$(call run_tests,asan-ubsan,-LE '^package$$')

clang: ## the test suite built with clang
	@scripts/install-deps.sh build test clang
	$(call build_preset,clang,)
	$(call run_tests,clang,-LE '^package$$')

tidy: ## build with clang-tidy on every source file
	@scripts/install-deps.sh build test clang
	$(call build_preset,tidy,)

format: ## rewrite the sources in the house format
	@scripts/install-deps.sh clang
	git ls-files '*.cpp' '*.hpp' '*.c' | xargs clang-format-14 -i

format-check: ## fail where clang-format would change a source file
	@scripts/install-deps.sh clang
	git ls-files '*.cpp' '*.hpp' '*.c' | xargs clang-format-14 --dry-run -Werror

artifacts: ## regenerate artifacts/, the registries' hashes, gas-baseline.json and the gas table of the README (tests compare the first two)
	@scripts/install-deps.sh build test
	cmake --preset release $(LAUNCHER) -DPOSTERN_BUILD_TESTS=ON
	cmake --build build/release -j $(JOBS) --target contracts_artifacts_test
	POSTERN_UPDATE_ARTIFACTS=1 build/release/tests/contracts/contracts_artifacts_test --gtest_filter='RegistryPins.*'
	cmake --build build/release -j $(JOBS) --target contracts_artifacts_test postern_cli
	POSTERN_UPDATE_ARTIFACTS=1 ctest --test-dir build/release --output-on-failure --no-tests=error -R '^contracts_artifacts_test$$'
	build/release/src/cli/postern gas --update gas-baseline.json >/dev/null
	node scripts/readme-gas.mjs

clean: ## remove what was built (not what was installed)
	rm -rf build
