#!/bin/sh
# check_unfused.sh OBJDUMP LIBRARY: fails where the library's code fuses products and sums
set -eu
code=$("$1" -d --no-show-raw-insn "$2")
case $code in *mulsd*) ;; *) echo "$2: found no code" >&2; exit 1 ;; esac
if printf '%s\n' "$code" | grep -E 'vfn?m(add|sub)'; then
    echo "$2: found fused operations, whose bits are others" >&2
    exit 1
fi
