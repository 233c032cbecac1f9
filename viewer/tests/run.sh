#!/usr/bin/env bash
# Tests of the viewer: small functions under Node, then the page in Chromium with run files of each kind: run.sh [--install]
# Installs Chromium where it is missing when asked to or when running as root; says what it skips.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
    echo "viewer tests SKIPPED: $1"
    exit 0
}

command -v npm >/dev/null && command -v node >/dev/null || skip "npm is not installed"
[ -d node_modules ] || npm ci --no-audit --no-fund || skip "npm could not fetch the packages"
if [ ! -f dist/viewer.html ] || [ -n "$(find src viewer.html vite.config.mjs package-lock.json -newer dist/viewer.html)" ]; then
    npm run build
fi
node --test tests/unit/
if [ "${MOREAU_SETUP:-yes}" != no ] && ! command -v chromium >/dev/null; then
    ../scripts/optional.sh "$@" "viewer/tests/run.sh" chromium
fi
node tests/support/ready.mjs || skip "the page was tested only outside a browser: $(node tests/support/ready.mjs --why)"
node --test --test-concurrency=1 tests/page/
