#!/usr/bin/env bash
# Builds other implementations, found as source folders in PEERS, into shared objects that native_peers_bench loads.
#
#   scripts/build-peers.sh PEERS OUT
#
# Looked for: PEERS/liboqs, PEERS/c-fn-dsa, PEERS/boringssl. One that is not there is named and left out; none at all is an
# error. Nothing is downloaded, and nothing is written into PEERS.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: build-peers.sh PEERS OUT" >&2; exit 2; }
peers=$1
out=$2
jobs=${JOBS:-$(nproc)}
[ -d "$peers" ] || { echo "bench-peers: PEERS=$peers is not a folder" >&2; exit 2; }
peers=$(cd "$peers" && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
found=0

absent() { echo "bench-peers: no $1 in $peers ($2 is missing): its columns are left out"; rm -f "$out/$1.so"; }
built() { echo "bench-peers: $1 is built"; found=$((found + 1)); }
quietly() { # LOG COMMAND...
    local log=$1
    shift
    "$@" >"$log" 2>&1 || { tail -n 20 "$log" >&2; echo "bench-peers: building failed, see $log" >&2; exit 1; }
}

if [ -f "$peers/liboqs/src/oqs.h" ] || [ -f "$peers/liboqs/src/common/common.h" ]; then
    # -O3 -march=native and the AVX2 code of each scheme; only the schemes that are compared.
    minimal="SIG_falcon_512;SIG_falcon_1024;SIG_falcon_padded_512;SIG_falcon_padded_1024;SIG_ml_dsa_44;SIG_ml_dsa_65;SIG_ml_dsa_87"
    quietly "$out/liboqs.log" cmake -S "$peers/liboqs" -B "$out/liboqs" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
        -DOQS_DIST_BUILD=OFF -DOQS_BUILD_ONLY_LIB=ON -DOQS_USE_OPENSSL=OFF "-DOQS_MINIMAL_BUILD=$minimal"
    quietly "$out/liboqs.log" cmake --build "$out/liboqs" -j "$jobs"
    cp "$(readlink -f "$out/liboqs/lib/liboqs.so")" "$out/liboqs.so"
    built liboqs
else
    absent liboqs liboqs/src/common/common.h
fi

if [ -f "$peers/c-fn-dsa/fndsa.h" ]; then
    # Its own options for the fastest build; its test and benchmark programs are left out.
    compiler=$(command -v clang-14 || command -v clang || command -v cc)
    sources=()
    for source in "$peers"/c-fn-dsa/*.c; do
        case "$(basename "$source")" in test_* | speed_*) ;; *) sources+=("$source") ;; esac
    done
    quietly "$out/c-fn-dsa.log" "$compiler" -O2 -fPIC -shared -DFNDSA_SHAKE256X4=1 -o "$out/c-fn-dsa.so" "${sources[@]}"
    built c-fn-dsa
else
    absent c-fn-dsa c-fn-dsa/fndsa.h
fi

if [ -f "$peers/boringssl/include/openssl/mldsa.h" ]; then
    quietly "$out/boringssl.log" cmake -S "$peers/boringssl" -B "$out/boringssl" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON
    quietly "$out/boringssl.log" cmake --build "$out/boringssl" -j "$jobs" --target crypto
    cp "$(find "$out/boringssl" -name libcrypto.so | head -n 1)" "$out/boringssl.so"
    built boringssl
else
    absent boringssl boringssl/include/openssl/mldsa.h
fi

[ "$found" -gt 0 ] || { echo "bench-peers: nothing to compare with in $peers" >&2; exit 2; }
