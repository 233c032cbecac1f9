#!/usr/bin/env bash
# Makes sure that the packages needed are installed: setup.sh build|python|test|check
# Touches the network only when something is missing.  MOREAU_SETUP=no skips it.
set -euo pipefail

build_packages=(cmake ninja-build gcc libc6-dev pkg-config liblua5.4-dev libhdf5-dev zlib1g-dev libcairo2-dev
    libjansson-dev libxxhash-dev libqhull-dev libvpx-dev)
python_packages=(python3-dev python3-numpy)
test_packages=("${python_packages[@]}" python3-dbg libcmocka-dev g++ clang libclang-rt-14-dev python3 hdf5-tools libxml2-utils)
check_packages=(clang-format clang-tidy git)

stop() {
    printf '%s\n' "$@" >&2
    exit 1
}

case "${1:-build}" in
build) needed=("${build_packages[@]}") ;;
python) needed=("${build_packages[@]}" "${python_packages[@]}") ;;
test) needed=("${build_packages[@]}" "${test_packages[@]}") ;;
check) needed=("${build_packages[@]}" "${test_packages[@]}" "${check_packages[@]}") ;;
*) stop "usage: setup.sh build|python|test|check" ;;
esac

if [ "${MOREAU_SETUP:-yes}" = no ]; then
    exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    stop "This system has no apt-get. moreau needs what Debian 12 calls:" \
        "  ${needed[*]}" \
        "Install their counterparts, then run make again with MOREAU_SETUP=no in the environment."
fi

missing=()
for package in "${needed[@]}"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    if [ "$state" != installed ]; then
        missing+=("$package")
    fi
done
if [ "${#missing[@]}" -eq 0 ]; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        stop "Packages are missing and there is no sudo. As root, run:" \
            "  apt-get install --no-install-recommends ${missing[*]}"
    fi
    as_root=(sudo)
fi
echo "installing: ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}"
