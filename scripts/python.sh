#!/usr/bin/env bash
# Builds the Python package and makes it importable: python.sh link|wheel BUILD JOBS [INTERPRETER]
# link: a file moreau.pth in the interpreter's own packages (of a virtual environment, or the user's) names
# BUILD/python, so that nothing is copied and the system's packages are left alone.  wheel: BUILD/wheel/*.whl.
set -euo pipefail
what=$1 build=$2 jobs=$3 interpreter=${4:-}

if [ ! -f "$build/CMakeCache.txt" ]; then
    cmake --preset release -DBUILD_TESTING=OFF
fi
cmake -S . -B "$build" ${interpreter:+-DMOREAU_PYTHON="$interpreter"} >"$build/python.log"
python=$(sed -n 's/^-- Python package: for //p' "$build/python.log")
if [ -z "$python" ]; then
    grep 'Python package' "$build/python.log" >&2
    exit 1
fi
cmake --build "$build" -j "$jobs" --target moreau_python

case "$what" in
link)
    "$python" - "$PWD/$build/python" <<'EOF'
import os, site, sys, sysconfig
folder = sysconfig.get_path("purelib") if sys.prefix != sys.base_prefix else site.getusersitepackages()
os.makedirs(folder, exist_ok=True)
link = os.path.join(folder, "moreau.pth")
with open(link, "w") as file:
    file.write(sys.argv[1] + "\n")
print(f"{sys.executable} now imports moreau from {sys.argv[1]}")
print(f"  try:   {sys.executable} -c 'import moreau; print(moreau.load(\"slope\").run())'")
print(f"  undo:  rm {link}")
EOF
    ;;
wheel)
    if ! "$python" -c 'from importlib.util import find_spec as f; assert f("pip") and f("setuptools") and f("wheel")' 2>/dev/null; then
        echo "$python has no pip, setuptools or wheel (Debian: python3-pip python3-setuptools python3-wheel)" >&2
        exit 1
    fi
    MOREAU_BUILD="$PWD/$build" "$python" -m pip wheel ./python --no-build-isolation --no-deps -q -w "$build/wheel"
    ls "$build"/wheel/*.whl
    ;;
*)
    echo "usage: python.sh link|wheel BUILD JOBS [INTERPRETER]" >&2
    exit 2
    ;;
esac
