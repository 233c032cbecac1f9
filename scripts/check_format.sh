#!/usr/bin/env bash
# Fails when clang-format would change a C file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/sources.sh '*.c' '*.h' | xargs -0 -r clang-format --dry-run --Werror
