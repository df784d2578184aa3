#!/usr/bin/env bash
# Checks the source tree itself: which room includes which, file sizes, leftovers of somebody's machine, dead links.
#   check_tree.sh ROOT
set -euo pipefail
cd "$1"

failures=0
complain() { printf 'check_tree: %s\n' "$*" >&2; failures=$((failures + 1)); }

# --- Dependencies go one way -------------------------------------------------------------------------------------
# A room sees itself and these. (docs/architecture.md)
declare -A sees=(
    [core]=""
    [hash]="core"
    [mldsa]="core hash"
    [falcon]="core hash"
    [evm]="core hash"
    [codegen]="core hash evm"
    [contracts]="core hash mldsa falcon evm codegen"
    [kat]="core hash mldsa falcon evm codegen contracts"
    [cli]="core hash mldsa falcon evm codegen contracts kat"
)
# The room whose concept a public header names.
room_of_header() {
    case "${1%.hpp}" in
        bytes | error) echo core ;;
        xof | hash*) echo hash ;;
        mldsa* | keys*) echo mldsa ;;
        falcon* | fndsa*) echo falcon ;;
        evm*) echo evm ;;
        codegen*) echo codegen ;;
        contracts*) echo contracts ;;
        *) echo "" ;;
    esac
}
allowed() { [ "$1" = "$2" ] || [[ " ${sees[$1]} " == *" $2 "* ]]; }

check_include() { # FILE ROOM TARGET
    local target=$3 other
    case "$target" in
        postern/*)
            other=$(room_of_header "${target#postern/}")
            [ -n "$other" ] || { complain "$1 includes <$target>, whose room is unknown here: add it to room_of_header"; return 0; }
            ;;
        */*) other=${target%%/*} ;;
        *) return 0 ;;
    esac
    [ -n "${sees[$other]+known}" ] || return 0 # a library's header
    allowed "$2" "$other" || complain "$1 includes \"$target\": $2 must not see $other"
}

for dir in src/*/; do
    room=$(basename "$dir")
    [ -n "${sees[$room]+known}" ] || complain "src/$room is a room without a rule here"
done
while IFS=: read -r file include; do
    room=${file#src/}
    check_include "$file" "${room%%/*}" "$include"
done < <(grep -rHoP --include='*.hpp' --include='*.cpp' '^\s*#\s*include\s*[<"]\K[^>"]+' src | grep -P ':(postern|core|hash|mldsa|falcon|evm|codegen|contracts|kat|cli)/' || true)

# Public headers stand on their own: nothing from src, and the same direction among themselves.
while IFS=: read -r file include; do
    name=$(basename "$file")
    case "$include" in
        postern/*)
            room=$(room_of_header "$name")
            if [ -z "$room" ]; then
                complain "$file: unknown room: add it to room_of_header"
            else
                check_include "$file" "$room" "$include"
            fi
            ;;
        core/* | hash/* | mldsa/* | falcon/* | evm/* | codegen/* | contracts/*) complain "$file includes $include, which is not installed" ;;
    esac
done < <(grep -rHoP --include='*.hpp' '^\s*#\s*include\s*[<"]\K[^>"]+' include)

# --- Sizes -------------------------------------------------------------------------------------------------------
while read -r lines file; do
    [ "$file" = total ] || [ "$lines" -le 650 ] || complain "$file has $lines lines; one concept a file (650 lines at most)"
done < <(find src include -name '*.[ch]pp' -exec wc -l {} + )

# --- Nothing of one machine --------------------------------------------------------------------------------------
if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then list="git ls-files -z"; else list="find . -type f -not -path ./build/* -not -path */node_modules/* -print0"; fi
places='(home|root|work|Users|mnt|tmp)'
hits=$($list | xargs -0 grep -IlP "(?<![\\w.}~)\$*-])/$places/[\\w.]" -- 2>/dev/null | grep -v -e '^\(\./\)\?tests/layering/' || true)
[ -z "$hits" ] || complain "absolute paths of somebody's machine in: $hits"
hits=$($list | grep -zP '(^|/)package-lock\.json$' | xargs -0 -r grep -l '"resolved"' -- || true)
[ -z "$hits" ] || complain "lock files that record where packages were downloaded from: $hits"

# --- Documentation links -----------------------------------------------------------------------------------------
for page in *.md docs/*.md; do
    [ -e "$page" ] || continue
    while read -r link; do
        case "$link" in http*://* | mailto:* | '#'*) continue ;; esac
        [ -e "$(dirname "$page")/${link%%#*}" ] || complain "$page links to $link, which is not there"
    done < <(grep -oP '\]\(\K[^)\s]+' "$page" || true)
done

[ "$failures" -eq 0 ] || exit 1
echo "check_tree: the tree is in order"
