#!/usr/bin/env bash
# Runs every fuzz target for a while from its corpus: fuzz.sh BUILD_FOLDER SECONDS
# New inputs stay in the build folder; an input that fails is kept there too and ends the script.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:?build folder}
seconds=${2:-60}
found=0
for target in "$build"/tests/fuzz/fuzz_*; do
    name=$(basename "$target")
    name=${name#fuzz_}
    if [ ! -x "$target" ] || [ ! -f "$target" ] || [[ $name == replay_* ]]; then
        continue
    fi
    found=1
    work="$build/fuzz-work/$name"
    mkdir -p "$work/corpus"
    if [ "$name" = run ]; then
        "$build/moreau" run --quiet tests/fuzz/corpus/scene/01_block.lua -o "$work/corpus/block.h5" >/dev/null
        for kind in sweep system space; do
            "$build/moreau" run --quiet "tests/fuzz/$kind.lua" -o "$work/corpus/$kind.h5" >/dev/null
        done
    fi
    options=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1
        -artifact_prefix="$work/")
    if [ -f "tests/fuzz/$name.dict" ]; then
        options+=(-dict="tests/fuzz/$name.dict")
    fi
    echo "fuzzing $name for $seconds s"
    "$target" "${options[@]}" "$work/corpus" "tests/fuzz/corpus/$name" >"$work/log" 2>&1 ||
        { tail -n 60 "$work/log" >&2; echo "fuzz_$name failed; the input is in $work" >&2; exit 1; }
    grep -E 'number_of_executed_units|peak_rss_mb' "$work/log"
done
if [ "$found" -eq 0 ]; then
    echo "no fuzz targets in $build" >&2
    exit 1
fi
