#!/usr/bin/env bash
# Compares the instructions of every call with a limit: finds regressions without a clock.
#
#     Scripts/instructions.sh           compares with Scripts/instructions.tsv
#     Scripts/instructions.sh write     writes that file: what was counted, and a tenth more
#
# What a process does once is left out: two runs are counted under callgrind, and their difference
# is divided by the difference of their calls. The debug build is counted, which the tests have made
# anyway: what grows there grows in a release build too.
set -euo pipefail
cd "$(dirname "$0")/.."

limits=Scripts/instructions.tsv
items=200
few=5
many=15

fail() {
    printf 'instructions: %s\n' "$@" >&2
    exit 1
}

install_missing() {
    command -v valgrind >/dev/null && command -v strip >/dev/null && return
    command -v apt-get >/dev/null || fail "valgrind and strip are missing"
    local run=()
    [[ $(id -u) -eq 0 ]] || run=(sudo -- env DEBIAN_FRONTEND=noninteractive)
    export DEBIAN_FRONTEND=noninteractive
    "${run[@]}" apt-get update -qq </dev/null
    "${run[@]}" apt-get install -y -qq --no-install-recommends binutils valgrind </dev/null >/dev/null
}

# The instructions of a process that makes $2 calls of the verb $1.
count() {
    local home=$work/$1.$2 log=$work/$1.$2.log
    cp -r "$work/keychain" "$home"
    KEYCHAIN_HOME=$home SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind \
        --callgrind-out-file=/dev/null "$work/keychain-benchmark" child "$1" "$items" "$2" \
        >"$log" 2>&1 || fail "$1: $(tail -n 3 "$log")"
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$log"
}

count_per_call() {
    local less more
    less=$(count "$1" "$few")
    more=$(count "$1" "$many")
    printf '%s\n' $(((more - less) / (many - few)))
}

install_missing
work=$(mktemp -d /tmp/keychain-instructions-XXXXXX)
trap 'rm -rf "$work"' EXIT
unset KEYCHAIN_SOCKET KEYCHAIN_ENTITLEMENTS
export XDG_RUNTIME_DIR=$work
bin=${KEYCHAIN_BIN:-$(swift build --show-bin-path)}
# valgrind reads no debugging information of this compiler's version.
strip --strip-debug -o "$work/keychain-benchmark" "$bin/keychain-benchmark"
KEYCHAIN_HOME=$work/keychain "$work/keychain-benchmark" child fill "$items"

if [[ ${1:-} == write ]]; then
    verbs=(find-data find-attributes miss add update delete)
else
    mapfile -t verbs < <(cut -f 1 "$limits")
fi
pids=()
for verb in "${verbs[@]}"; do
    count_per_call "$verb" >"$work/$verb.count" &
    pids+=($!)
    # Two at a time.
    [[ ${#pids[@]} -lt 2 ]] || { wait "${pids[0]}" && pids=("${pids[@]:1}"); }
done
wait "${pids[@]}"

if [[ ${1:-} == write ]]; then
    for verb in "${verbs[@]}"; do
        printf '%s\t%d\n' "$verb" $(($(<"$work/$verb.count") * 11 / 10))
    done >"$limits"
    cat "$limits"
    exit
fi
status=0
while IFS=$'\t' read -r verb limit; do
    found=$(<"$work/$verb.count")
    printf '%-16s %9d of %9d\n' "$verb" "$found" "$limit"
    [[ $found -le $limit ]] || {
        printf '%s exceeds its instruction limit: find out why, or run %s write\n' "$verb" "$0"
        status=1
    }
done <"$limits"
exit "$status"
