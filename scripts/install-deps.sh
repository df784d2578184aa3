#!/usr/bin/env bash
# Installs what is missing of Postern's tools, and nothing that is there already.
#
#   scripts/install-deps.sh GROUP...
#
# Groups: build (compiler, libraries), test (GoogleTest, Node.js, the npm packages of package-lock.json),
# clang, valgrind, bench. Debian packages come through apt-get (as root, or through sudo), npm packages
# through npm ci. POSTERN_NO_INSTALL=1 only checks, and fails naming what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A packages=(
    [build]="g++ make cmake ninja-build pkg-config libcli11-dev libfmt-dev nlohmann-json3-dev libssl-dev libsecp256k1-dev liblzma-dev"
    [test]="git libgtest-dev libgmp-dev libcurl4-openssl-dev nodejs npm ca-certificates"
    [clang]="clang-14 clang-tidy-14 clang-format-14 libclang-rt-14-dev"
    [valgrind]="valgrind"
    [bench]="libbenchmark-dev"
)

say() { printf 'deps: %s\n' "$*"; }
fail() { printf 'deps: %s\n' "$*" >&2; exit 1; }
no_install() { [ "${POSTERN_NO_INSTALL:-0}" = 1 ]; }

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Tools that are just as good from another source: a package is not needed where its command is there.
provided() {
    case "$1" in
        nodejs) command -v node >/dev/null ;;
        npm) command -v npm >/dev/null ;;
        pkg-config) command -v pkg-config >/dev/null ;;
        *) return 1 ;;
    esac
}

install_debian() {
    local missing=() package
    for package in "$@"; do
        provided "$package" || installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    no_install && fail "missing Debian packages: ${missing[*]}"
    command -v apt-get >/dev/null || fail "no apt-get here; install these yourself: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "not root and no sudo; as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "apt-get install ${missing[*]}"
    # env is named after sudo: sudo drops a plain assignment before it.
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# The Node.js that runs npm and the tests: the system's, or the one of tools/node where the system's is too old
# (Debian 12 has 18; @noble/post-quantum and the Foundry tools ask for 20.19).
modern() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)'; }
newer_node() { find tools/node/node_modules/node-linux-*/bin/node 2>/dev/null | head -1 || true; }

# npm ci in DIR with NODE, unless node_modules there already is what its lock file says.
install_npm() {
    local dir=$1 node=$2 stamp npm
    stamp=$(sha256sum <"$dir/package-lock.json")
    [ "$(cat "$dir/node_modules/.postern-lock" 2>/dev/null)" != "$stamp" ] || return 0
    no_install && fail "npm packages of $dir/package-lock.json are not installed"
    say "npm ci in $dir"
    npm=$(readlink -f "$(command -v npm)")
    # No package needs its install script.
    (cd "$dir" && PATH="$(dirname "$node"):$PATH" "$node" "$npm" ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    printf '%s\n' "$stamp" >"$dir/node_modules/.postern-lock"
}

# .bin/anvil and its kin start the binary of the platform package directly, without a Node.js process around it.
link_foundry() {
    local tool binary
    for tool in anvil forge cast; do
        binary=$(cd node_modules/.bin && find ../@foundry-rs/$tool-*/bin/$tool 2>/dev/null | head -1 || true)
        [ -n "$binary" ] || fail "npm installed no $tool binary for this platform"
        ln -sfn "$binary" "node_modules/.bin/$tool"
    done
}

[ $# -gt 0 ] || fail "usage: scripts/install-deps.sh GROUP... (${!packages[*]})"
wanted=()
npm=0
for group in "$@"; do
    [ -n "${packages[$group]:-}" ] || fail "unknown group '$group' (known: ${!packages[*]})"
    # shellcheck disable=SC2206
    wanted+=(${packages[$group]})
    [ "$group" != test ] || npm=1
done
if command -v dpkg-query >/dev/null; then
    install_debian "${wanted[@]}"
else
    say "not a Debian system; expecting the equivalents of: ${wanted[*]}"
fi
if [ "$npm" = 1 ]; then
    node=$(realpath "$(command -v node)")
    if ! modern "$node"; then
        install_npm tools/node "$node"
        node=$(realpath "$(newer_node)")
    fi
    install_npm . "$node"
    link_foundry
fi
