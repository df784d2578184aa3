#!/usr/bin/env bash
# Runs the interoperability tests: run.sh PATH-OF-POSTERN. Exits 77 (skipped) where Node.js or its packages are missing.
set -euo pipefail
postern=$(realpath "$1")
cd "$(dirname "$0")/../.."

new_enough() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; }
node=""
for candidate in "$(command -v node || true)" tools/node/node_modules/node-linux-*/bin/node; do
    if [ -x "$candidate" ] && new_enough "$candidate"; then node=$candidate && break; fi
done
[ -n "$node" ] || { echo "SKIPPED: no Node.js of at least 20.19 (make deps installs one)"; exit 77; }
[ -d node_modules/@noble/post-quantum ] || { echo "SKIPPED: npm packages are not installed (make deps)"; exit 77; }

POSTERN=$postern exec "$node" --test --test-reporter=spec tests/interop/*.test.mjs
