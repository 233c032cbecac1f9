#!/usr/bin/env bash
# What to try after `make demo`.
set -euo pipefail
cat <<'TEXT'

The run is in sandpile.h5, its last frame with force chains in sandpile.png. Next:
  build/moreau view sandpile.h5               the run in your browser (first, once: make viewer build, which needs npm)
  build/moreau run sandpile --help            the scene's parameters
  build/moreau examples                       the other scenes
  build/moreau export sandpile.h5 --to csv --what series -o -
Write your own: docs/guide/first-steps.md, docs/guide/scenes.md
TEXT
