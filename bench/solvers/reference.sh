#!/usr/bin/env bash
# Makes sure that the library to compare with is there: reference.sh [--install]
# Debian's Siconos; the C library that python3-siconos wraps is called directly, so that no interpreter is in the times.
# Installs it when asked to or when running as root; says what to do otherwise.  Never fails: without it only this
# library's solvers are measured.
set -euo pipefail

package=libsiconos-numerics-dev
state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
if [ "$state" = installed ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "This system has no apt-get: Siconos ($package on Debian) is not installed, and nothing is compared with it." >&2
    exit 0
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if [ "${1:-}" != --install ]; then
        echo "Siconos is not installed, and nothing is compared with it. To have it:" >&2
        echo "  bench/solvers/reference.sh --install    (or, as root: apt-get install $package)" >&2
        exit 0
    fi
    as_root=(sudo)
fi
echo "installing: $package"
if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$package"; }; then
    echo "Siconos ($package) could not be installed; nothing is compared with it." >&2
fi
