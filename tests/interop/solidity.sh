#!/usr/bin/env bash
# The Foundry project in solidity/, on a copy: solidity.sh PATH-OF-POSTERN WORK-FOLDER. Exits 77 (skipped) where its tools are missing.
set -euo pipefail
postern=$(realpath "$1")
work=$2
cd "$(dirname "$0")/../.."
source=$PWD

node=""
for candidate in "$(command -v node || true)" "$source"/tools/node/node_modules/node-linux-*/bin/node; do
    if [ -x "$candidate" ] && "$candidate" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 18 ? 0 : 1)' 2>/dev/null; then
        node=$candidate && break
    fi
done
[ -n "$node" ] || { echo "SKIPPED: no Node.js (make deps installs one)"; exit 77; }
forge=$source/node_modules/.bin/forge
[ -x "$forge" ] || { echo "SKIPPED: forge is not installed (make deps)"; exit 77; }

rm -rf "$work"
mkdir -p "$work/home" "$work/solidity"
(cd solidity && git ls-files -co --exclude-standard . 2>/dev/null || find . -type f -not -path './fixtures/*' -not -path './out/*' -not -path './cache/*') |
    (cd solidity && while IFS= read -r file; do mkdir -p "$work/solidity/$(dirname "$file")" && cp "$file" "$work/solidity/$file"; done)
cp -r artifacts "$work/artifacts"
export PATH="$(dirname "$node"):$PATH" HOME="$work/home"
cd "$work/solidity"
ln -sfn "$source/node_modules" node_modules
./prepare.sh "$postern"
exec "$forge" test --offline
