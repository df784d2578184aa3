#!/usr/bin/env bash
# usage: run.sh PROGRAM [LEAK...]: a program built with POSTERN_CT_CHECK must be clean under valgrind, and must be
# caught with each planted leak.
set -euo pipefail
program=$1
shift
check() { valgrind --quiet --error-exitcode=99 --exit-on-first-error=yes --track-origins=no "$program" "$@"; }

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 1; }
check
for kind in "$@"; do
    status=0
    check --leak "$kind" >/dev/null 2>&1 || status=$?
    if [ "$status" -ne 99 ]; then
        echo "planted leak \"$kind\" was not caught (exit code $status)" >&2
        exit 1
    fi
    echo "planted leak \"$kind\": caught"
done
