#!/usr/bin/env bash
# check_declassify.sh must notice a new exception, a changed one and one that is gone.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
expect() { # WHAT good|bad
    if "$here/check_declassify.sh" "$tree" >/dev/null 2>&1; then outcome=good; else outcome=bad; fi
    [ "$outcome" = "$2" ] || { echo "$1: expected $2, got $outcome" >&2; exit 1; }
}
fresh() {
    rm -rf "${tree:?}"/*
    cp -r "$1/src" "$tree/src"
    mkdir "$tree/docs"
    cp "$1/docs/constant-time.md" "$tree/docs/"
}
fresh "$1" && expect "the tree as it is" good
fresh "$1" && echo 'if (declassify(secret) != 0) return;' >>"$tree/src/falcon/sign.cpp" && expect "a new exception" bad
fresh "$1" && sed -i 's/declassify(zero)/declassify(zero | f[0])/' "$tree/src/falcon/zq.cpp" && expect "a changed exception" bad
fresh "$1" && sed -i 's/declassify(zero)/(zero)/' "$tree/src/falcon/zq.cpp" && expect "an exception that is gone" bad
echo "check_declassify finds every planted difference"
