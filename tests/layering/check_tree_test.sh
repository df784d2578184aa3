#!/usr/bin/env bash
# check_tree.sh must complain about each of these planted faults, and about nothing in a clean tree.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fresh() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{src/{core,hash,mldsa,falcon,evm,codegen,contracts,kat,cli},include/postern,docs}
    echo '#include "core/hex.hpp"' >"$tree/src/mldsa/sign.cpp"
    echo '#pragma once' >"$tree/include/postern/mldsa.hpp"
    echo '[start](docs/start.md)' >"$tree/README.md"
    : >"$tree/docs/start.md"
}
failures=0
expect() { # WHAT good|bad
    if "$here/check_tree.sh" "$tree" >/dev/null 2>&1; then outcome=good; else outcome=bad; fi
    [ "$outcome" = "$2" ] || { echo "$1: expected $2, got $outcome"; failures=$((failures + 1)); }
}

fresh && expect "a clean tree" good
fresh && echo '#include "evm/machine.hpp"' >"$tree/src/mldsa/bad.cpp" && expect "mldsa sees evm" bad
fresh && echo '#include <postern/contracts.hpp>' >"$tree/src/falcon/bad.hpp" && expect "falcon sees contracts" bad
fresh && echo '#include "mldsa/params.hpp"' >"$tree/src/evm/bad.cpp" && expect "evm knows a scheme" bad
fresh && echo '#include "hash/sponge.hpp"' >"$tree/src/core/bad.cpp" && expect "core sees hash" bad
fresh && echo '#include "core/hex.hpp"' >>"$tree/include/postern/mldsa.hpp" && expect "a public header sees src" bad
fresh && yes '// line' | head -651 >"$tree/src/core/long.cpp" && expect "a file of 651 lines" bad
fresh && echo "data=/ho""me/somebody/data" >"$tree/docs/start.md" && expect "a machine's path" bad
fresh && echo '{"resolved": "x"}' >"$tree/package-lock.json" && expect "a lock file with download addresses" bad
fresh && echo '[x](docs/none.md)' >>"$tree/README.md" && expect "a dead link" bad
fresh && mkdir "$tree/src/attic" && expect "a room without a rule" bad

[ "$failures" -eq 0 ] || exit 1
echo "check_tree finds every planted fault"
