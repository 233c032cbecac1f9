#!/usr/bin/env bash
# Makes sure that the library to compare with is there: reference.sh [--install]
# Debian's Siconos; the C library that python3-siconos wraps is called directly, so that no interpreter is in the times.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../../scripts/optional.sh" "$@" bench/solvers/reference.sh libsiconos-numerics-dev
