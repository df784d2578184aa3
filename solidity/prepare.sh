#!/usr/bin/env bash
# Makes what the tests use, in fixtures/: prepare.sh [PATH OF POSTERN]. Keys come from fixed seeds; signatures are made by the tests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
postern=$(realpath "${1:-$here/../build/release/src/cli/postern}")
cd "$here"
[ -e node_modules ] || ln -s ../node_modules node_modules
rm -rf fixtures
for scheme in ml-dsa-44 keccak-ml-dsa-44; do
    dir=fixtures/$scheme
    mkdir -p "$dir"
    seed=$(printf '%s' "postern solidity tests $scheme" | sha256sum | cut -d ' ' -f 1)
    "$postern" keygen --scheme "$scheme" --seed "$seed" --out "$dir/key.pem" --pub "$dir/pub.pem" >/dev/null
    "$postern" convert --to raw "$dir/pub.pem" "$dir/pub.raw" >/dev/null
    "$postern" evm expand-key "$dir/pub.pem" --out "$dir/blob" >/dev/null
done
ln -s "$postern" fixtures/postern
