#!/usr/bin/env bash
# scripts/build-peers.sh says which peers are missing, and fails where there are none. usage: build_peers_test.sh ROOT
set -euo pipefail
script=$1/scripts/build-peers.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

refused() { # TEXT ARGUMENT...
    local text=$1 status=0 output
    shift
    output=$("$script" "$@" 2>&1) || status=$?
    if [ "$status" -ne 2 ] || [[ "$output" != *"$text"* ]]; then
        echo "build-peers.sh $*: exit code $status, output: $output" >&2
        exit 1
    fi
}
refused "usage" "$folder"
refused "is not a folder" "$folder/none" "$folder/out"
mkdir "$folder/empty"
refused "nothing to compare with" "$folder/empty" "$folder/out"
refused "no c-fn-dsa in $folder/empty (c-fn-dsa/fndsa.h is missing)" "$folder/empty" "$folder/out"
refused "no liboqs" "$folder/empty" "$folder/out"
[ -z "$(ls "$folder/empty")" ] || { echo "the folder of peers was written to" >&2; exit 1; }
echo "build-peers.sh names what is missing"
