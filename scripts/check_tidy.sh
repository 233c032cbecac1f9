#!/usr/bin/env bash
# Runs clang-tidy (settings: .clang-tidy) over library and program: check_tidy.sh BUILD_FOLDER [JOBS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${1:?build folder with compile_commands.json}
scripts/sources.sh 'src/*.c' 'app/*.c' |
    xargs -0 -r -n 1 -P "${2:-2}" clang-tidy --quiet -p "$build"
