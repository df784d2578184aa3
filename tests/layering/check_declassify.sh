#!/usr/bin/env bash
# Every `declassify` in the sources has its row in docs/constant-time.md, and the page has no others.
#   check_declassify.sh ROOT
set -euo pipefail
cd "$1"
page=docs/constant-time.md

# The call with its balanced parentheses; the helper's own definition apart.
sites() {
    grep -rHoP --include='*.hpp' --include='*.cpp' 'declassify(\((?:[^()]|(?1))*\))' src |
        grep -v '^src/core/secure\.hpp:' | sed 's/:/\t/' | LC_ALL=C sort
}
rows() {
    sed -nE 's/^\| `([^`]+)` \| `(declassify.*\))` \| .+ \|$/\1\t\2/p' "$page" | sed 's/\\|/|/g' | LC_ALL=C sort
}
if ! diff <(rows) <(sites); then
    echo "check_declassify: $page (<) and the sources (>) differ" >&2
    exit 1
fi
[ "$(sites | wc -l)" -gt 20 ] || { echo "check_declassify: hardly any site was found: does the pattern still fit?" >&2; exit 1; }
