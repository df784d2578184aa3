#!/usr/bin/env bash
# Runs every fuzzer of a build for a fixed time: fuzz.sh BUILD SECONDS. Found inputs stay in BUILD/corpus/NAME,
# crashes in BUILD/crashes.
set -euo pipefail
build=$1 seconds=$2
seeds=tests/fuzz/seeds
mkdir -p "$build/crashes"
found=0 failed=0
for fuzzer in "$build"/fuzzers/*; do
    [ -x "$fuzzer" ] || continue
    found=$((found + 1))
    name=$(basename "$fuzzer")
    mkdir -p "$build/corpus/$name"
    echo "== $name ($seconds s)"
    "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$build/crashes/$name-" "$build/corpus/$name" "$seeds/$name" || failed=$((failed + 1))
done
[ "$found" -gt 0 ] || { echo "no fuzzers in $build/fuzzers" >&2; exit 1; }
echo "$found fuzzers run, $failed with findings"
[ "$failed" -eq 0 ]
