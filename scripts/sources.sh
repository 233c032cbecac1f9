#!/usr/bin/env bash
# Prints the project's C files, each ended by a zero byte: sources.sh PATTERN...
# (tracked files and new ones that git does not ignore; all files where there is no git).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard -- "$@"
else
    for pattern in "$@"; do
        find . -path './build*' -prune -o -path "./$pattern" -print0
    done
fi
