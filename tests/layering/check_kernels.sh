#!/usr/bin/env bash
# Object files compiled for an instruction set that not every processor has must not offer anything to the linker that
# another file may use instead of its own copy: no weak definitions (inline functions, templates).
#   check_kernels.sh OBJECT...     (objects whose name has no instruction set in it are not looked at)
set -euo pipefail
failures=0
seen=0
for object in "$@"; do
    case "$object" in *_avx2.cpp.o | *_avx512.cpp.o | *_avx2_*.cpp.o) ;; *) continue ;; esac
    seen=$((seen + 1))
    shared=$(nm -C --defined-only "$object" | grep -E '^[0-9a-f]* [WVu] ' || true)
    [ -z "$shared" ] || { printf 'check_kernels: %s defines weak symbols:\n%s\n' "$object" "$shared" >&2; failures=$((failures + 1)); }
done
[ "$failures" -eq 0 ] || exit 1
echo "check_kernels: $seen objects share nothing"
