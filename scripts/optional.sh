#!/usr/bin/env bash
# Makes sure that Debian packages are there without which something is left out: optional.sh [--install] HOW PACKAGE...
# HOW: the command that installs them, for the message.  Installs what is missing when asked to or when running as
# root; says what to do otherwise.  Never fails.
set -euo pipefail

install=
if [ "${1:-}" = --install ]; then
    install=yes
    shift
fi
how=$1
shift
missing=()
for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "This system has no apt-get: ${missing[*]} (on Debian) not installed; what needs them is left out." >&2
    exit 0
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if [ -z "$install" ]; then
        echo "Not installed: ${missing[*]}; what needs them is left out. To have them:" >&2
        echo "  $how --install    (or, as root: apt-get install ${missing[*]})" >&2
        exit 0
    fi
    as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq || true
# one by one: not every release has all of them
for package in "${missing[@]}"; do
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$package" ||
        echo "$package could not be installed; what needs it is left out." >&2
done
