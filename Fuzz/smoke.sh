#!/usr/bin/env bash
# Fuzz/smoke.sh [--seed N] [SECONDS [TARGET…]]: replays the corpus, then fuzzes each target for its
# share of SECONDS (default 60). Prints executions per target; exits 1 on any finding and keeps its
# input.
# Fuzz/smoke.sh [--seed N] --runs COUNT [TARGET…]: executes each target COUNT times instead.
#
# --seed is libFuzzer's [from the clock]. A run with it and with --runs starts from the kept corpus
# alone, so that it can be repeated.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60 runs='' seed=''
usage() {
    printf 'smoke: not a number: %s\n' "$1" >&2
    exit 2
}
while [[ ${1:-} == --* ]]; do
    [[ ${2:-} =~ ^[0-9]+$ ]] || usage "${2:-}"
    case $1 in
        --seed) seed=$2 ;;
        --runs) runs=$2 ;;
        *) usage "$1" ;;
    esac
    shift 2
done
if [[ -z $runs && $# -gt 0 ]]; then
    [[ $1 =~ ^[0-9]+$ ]] || usage "$1"
    seconds=$1
    shift
fi

build=.build/fuzz
findings=$build/findings
# lld, as gold stumbles over the sanitizers' debug information. Nobody waits for a backtrace.
flags=(--configuration release --scratch-path "$build" --product keychain-fuzz
    -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld)
export KEYCHAIN_FUZZ=1 SWIFT_BACKTRACE=enable=no

printf 'build … '
started=$SECONDS
mkdir -p "$findings"
if ! swift build "${flags[@]}" >"$build/build.log" 2>&1; then
    printf 'failed\n'
    cat "$build/build.log"
    exit 1
fi
printf '%s s\n' $((SECONDS - started))
program=$(swift build "${flags[@]}" --show-bin-path)/keychain-fuzz

mapfile -t known < <(FUZZ_TARGET=list "$program")
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=("${known[@]}")
share=$((seconds / ${#targets[@]}))
[[ $share -gt 0 ]] || share=1
length=(-max_total_time="$share")
[[ -z $runs ]] || length=(-runs="$runs")
[[ -z $seed ]] || length+=(-seed="$seed")
broken=()

# run TARGET LOG OPTION…: one run of libFuzzer.
run() {
    local target=$1 log=$2
    shift 2
    FUZZ_TARGET=$target "$program" -timeout=25 -rss_limit_mb=3000 \
        -artifact_prefix="$findings/$target-" "$@" >"$log" 2>&1
}

for target in "${targets[@]}"; do
    log=$build/$target.log
    work=$build/corpus/$target
    mkdir -p "$work"
    if [[ ! -d Fuzz/Corpus/$target ]]; then
        printf 'smoke: no target %s; there are: %s\n' "$target" "${known[*]}" >&2
        exit 2
    fi
    # Files are replayed one by one, so a finding of the corpus is never blamed on the fuzzing.
    if ! run "$target" "$log" -runs=1 Fuzz/Corpus/"$target"/*; then
        printf '%-22s a kept input fails: %s\n' "$target" "$log"
        broken+=("$target")
        continue
    fi
    status=0
    # What earlier runs found would make another run of the same seed.
    if [[ -n $runs && -n $seed ]]; then
        work=$(mktemp -d "$build/fresh.XXXX")
    fi
    run "$target" "$log" "${length[@]}" -max_len=8192 -print_final_stats=1 \
        "$work" Fuzz/Corpus/"$target" || status=$?
    [[ -z $runs || -z $seed ]] || rm -rf "$work"
    count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [[ $status -ne 0 ]]; then
        printf '%-22s finding after %s executions: %s, inputs in %s\n' \
            "$target" "${count:-some}" "$log" "$findings"
        broken+=("$target")
    else
        printf '%-22s %9s executions%s, none with a finding\n' \
            "$target" "$count" "${seed:+ with seed $seed}"
    fi
done

[[ ${#broken[@]} -eq 0 ]] || { printf 'smoke: findings in %s\n' "${broken[*]}"; exit 1; }
printf '%s targets; %s s in all\n' "${#targets[@]}" "$SECONDS"
