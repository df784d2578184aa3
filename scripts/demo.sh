#!/usr/bin/env bash
# The whole path on one message file: demo.sh BUILD [CONTRACT]. Works in a temporary folder and leaves nothing behind.
set -euo pipefail
postern=$(realpath "$(find "$1" -type f -name postern -perm -u+x | head -1)")
contract=${2:-ml-dsa-44}
scheme=$contract
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

bold='' plain=''
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
run() { printf '$ postern %s\n' "$*" && "$postern" "$@"; }
# A command whose job here is to say no: exit code 1 and nothing else.
refused() {
    printf '$ postern %s\n' "$*"
    local code=0
    "$postern" "$@" || code=$?
    [ "$code" = 1 ] || { echo "expected a refusal (exit code 1), got exit code $code" >&2; exit 1; }
}

say "1. A message"
printf 'Pay 10 ether to the keeper of the gate' >order.txt
# What goes on chain is a 32-byte hash; the verifier takes messages of any length as well.
sha256sum order.txt | cut -c1-64 | sed 's/../\\x&/g' | xargs -0 printf '%b' | head -c 32 >message
printf 'order.txt: "%s"\nmessage:   its SHA-256, %s bytes\n' "$(cat order.txt)" "$(wc -c <message)"

say "2. A key pair ($scheme)"
run keygen --scheme "$scheme" --out key.pem --pub pub.pem
wc -c key.pem pub.pem | head -2

say "3. A signature"
run sign --key key.pem --in message --out sig
wc -c sig

say "4. The native verdict"
run verify --key pub.pem --in message --sig sig

say "5. The verifier contract"
run evm build "$contract" --out contract
ls -l contract | awk 'NR > 1 {printf "  %8d  %s\n", $5, $NF}'

say "6. The verdict on chain (embedded EVM), and where the gas went"
run evm run "$contract" --key pub.pem --in message --sig sig --profile

say "7. Beside the best published figures"
run gas --contract "$contract"

say "8. A tampered signature"
cp sig tampered
# One bit of byte 1000.
byte=$(od -An -tu1 -j1000 -N1 sig)
printf "$(printf '\\x%02x' $((byte ^ 1)))" | dd of=tampered bs=1 seek=1000 conv=notrunc status=none
refused verify --key pub.pem --in message --sig tampered
refused evm run "$contract" --key pub.pem --in message --sig tampered
say "Done."
