#!/usr/bin/env bash
# Makes sure that the programs to compare with are there: packages.sh [--install]
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/../../scripts/optional.sh" "$@" bench/peers/packages.sh \
    libbullet-dev libode-dev libbox2d-dev libmujoco-dev liblammps-dev g++ pkg-config
