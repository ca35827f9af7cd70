#!/usr/bin/env bash
# Scripts/torture.sh [MINUTES [BUILD-OPTION…]]: tortures the store in every way for its share of MINUTES
# (default 30), and writes the figures into Documentation/Reliability.md. Stops at the first finding,
# with what it takes to repeat it, and exit status 1; the page then stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=${1:-30}
shift || true
[[ $minutes =~ ^[1-9][0-9]*$ ]] || { printf 'torture: not a number of minutes: %s\n' "$minutes" >&2; exit 2; }
page=Documentation/Reliability.md
total=$((minutes * 60))
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

Scripts/setup.sh
printf 'torture: building; the first time takes a few minutes\n'
if ! swift build -c release "$@" --product keychain-torture >"$logs/build" 2>&1; then
    cat "$logs/build"
    exit 1
fi
tool=$(swift build -c release "$@" --show-bin-path)/keychain-torture
sanitize=(--sanitize=thread --scratch-path .build/threads --product keychain-torture)
if ! swift build "$@" "${sanitize[@]}" >"$logs/build" 2>&1; then
    cat "$logs/build"
    exit 1
fi
sanitized=$(swift build "$@" "${sanitize[@]}" --show-bin-path)/keychain-torture
rows=()

# share PERCENT: that part of the whole time in seconds, at least 2.
share() { local part=$((total * $1 / 100)); printf '%s\n' $((part > 2 ? part : 2)); }

stop() {
    printf 'torture: stopped at a finding of %s\n' "$1"
    exit 1
}

# figure NAME FILE…: the sum of a figure over the files' last lines.
figure() {
    local name=$1
    shift
    sed -n "s/^[a-z-]*: figures\\(.* \\| \\)$name=\\([0-9]*\\).*/\\2/p" "$@" | awk '{ sum += $1 } END { print sum + 0 }'
}

# torture KIND PERCENT OPTION…: runs one kind for its share; a death is a finding, too.
torture() {
    local kind=$1 seconds seed=$RANDOM$RANDOM status=0
    seconds=$(share "$2")
    shift 2
    "$tool" "$kind" --seconds "$seconds" --seed "$seed" "$@" | tee "$logs/$kind" || status=$?
    [[ $status -le 1 ]] || printf '%s: FINDING: the process died, status %s, seed %s\n' "$kind" "$status" "$seed"
    [[ $status -eq 0 ]] || stop "$kind"
    printf '%s\n' "$seed" >"$logs/$kind.seed"
}

# thousands NUMBER: 1234567 as 1,234,567.
thousands() { sed -E ':a; s/^([0-9]+)([0-9]{3})/\1,\2/; ta' <<<"$1"; }

# row TITLE KIND FIGURE=WORDS…: a line of the page's table.
row() {
    local title=$1 kind=$2 text='' part seconds
    shift 2
    for part in "$@"; do
        text+="${text:+, }$(thousands "$(figure "${part%%=*}" "$logs/$kind"*)") ${part#*=}"
    done
    seconds=$(sed -n 's/.* seconds=\([0-9]*\).*/\1/p' "$logs/$kind" | tail -n 1)
    rows+=("| $title | $text | $(cat "$logs/$kind.seed") | $seconds |")
}

# Two processes share the damages, one for each half of the bytes.
damage() {
    local seconds seed=$RANDOM$RANDOM part status=0 pids=()
    seconds=$(share 12)
    for part in 0 1; do
        "$tool" damage --seconds "$seconds" --seed "$seed" --part "$part" --parts 2 >"$logs/damage$part" &
        pids+=($!)
    done
    for part in 0 1; do
        wait "${pids[$part]}" || status=$?
    done
    cat "$logs"/damage[01]
    [[ $status -le 1 ]] || printf 'damage: FINDING: a process died, status %s, seed %s\n' "$status" "$seed"
    [[ $status -eq 0 ]] || stop damage
    printf '%s\n' "$seed" >"$logs/damage.seed"
    cat "$logs"/damage[01] >"$logs/damage"
    rm "$logs"/damage[01]
}

# Threads under ThreadSanitizer. First it has to see a race that is there; then any report is a finding.
threads() {
    local seconds seed=$RANDOM$RANDOM status=0
    seconds=$(share 6)
    export TSAN_OPTIONS="exitcode=66 log_path=$logs/race"
    "$sanitized" race >"$logs/blind" || status=$?
    [[ $status -eq 66 ]] || { printf 'threads: FINDING: the sanitizer sees no race\n'; stop threads; }
    status=0
    TSAN_OPTIONS="exitcode=66 log_path=$logs/report"
    "$sanitized" concurrency --calls 120 --seconds "$seconds" --seed "$seed" |
        sed -u 's/^concurrency:/threads:/' | tee "$logs/threads" || status=$?
    unset TSAN_OPTIONS
    if compgen -G "$logs/report.*" >/dev/null; then
        printf 'threads: FINDING: ThreadSanitizer reports, seed %s\n' "$seed"
        cat "$logs"/report.*
        status=1
    fi
    [[ $status -eq 0 ]] || stop threads
    printf '%s\n' "$seed" >"$logs/threads.seed"
}

# The executions of all targets of the fuzzer.
fuzz() {
    local seconds
    seconds=$(share 10)
    Fuzz/smoke.sh "$seconds" | tee "$logs/smoke" || stop fuzz
    printf 'fuzz: figures executions=%s targets=%s findings=0 seconds=%s\n' \
        "$(awk '/executions, none/ { sum += $2 } END { print sum + 0 }' "$logs/smoke")" \
        "$(grep -c 'executions, none' "$logs/smoke")" "$seconds" | tee "$logs/fuzz"
    printf 'fresh\n' >"$logs/fuzz.seed"
}

# write_page: replaces what stands between the two marks.
write_page() {
    local machine memory
    machine=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)
    memory=$(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo)
    {
        printf '<!-- figures -->\n'
        printf '`Scripts/torture.sh` ran for %s minutes on %s and found nothing.\n' "$minutes" "$(date -u +%F)"
        printf 'Machine: %s × %s, %s, Linux %s, %s.\n\n' "$(nproc)" "${machine:-$(uname -m)}" "$memory" \
            "$(uname -r | cut -d- -f1)" "$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9.]+' | head -n 1)"
        printf '| Check | Figures | Seed | Seconds |\n|---|---|---|---|\n'
        printf '%s\n' "${rows[@]}"
        printf '<!-- /figures -->\n'
    } >"$logs/figures"
    awk -v figures="$logs/figures" '
        /^<!-- figures -->/ { while ((getline line < figures) > 0) print line; skipping = 1 }
        !skipping
        /^<!-- \/figures -->/ { skipping = 0 }' "$page" >"$logs/page"
    cp "$logs/page" "$page"
}

torture crash 14 --items 200
row Crash crash kills=kills acknowledged-writes="acknowledged writes" \
    raced-adds="adds in a race" contended-updates="contended updates"
torture faults 16
row Faults faults faults="failed writes" read-faults="failed reads" verbs="verbs completed"
torture power-loss 10
row "Power loss" power-loss states="states of the disk" recorded-changes="recorded changes" lives="recorded series"
damage
row Damage damage flips="changed bytes" truncations="truncations" possible-damages="damages possible in a round" \
    rows-put-back="rows restored" rows-taken-away="rows removed" \
    refused="damages refused" hidden="damages that hid an item" harmless="damages without effect"
torture concurrency 8
row Concurrency concurrency calls="calls of 64 threads in 8 processes" keys="linearizable histories" rounds=rounds
threads
row Threads threads calls="calls under ThreadSanitizer" rounds=rounds
torture daemon 10
row Daemon daemon killed-daemons="kills of the daemon" killed-clients="kills of clients" \
    killed-witnesses="kills of the witness" killed-agents="kills of the agent" acknowledged-writes="acknowledged writes" \
    storm-connections="connections in storms" hostile-programs="hostile programs" rounds=rounds
torture files 6
row "Protected files" files states="states of the disk" faults="failed operations" kills=kills \
    acknowledged-steps="acknowledged steps" flips="changed bytes" cuts=cuts swaps="swapped chunks" \
    repeats="repeated chunks"
torture walk 8
row "Random walk" walk walks=walks steps=steps
fuzz
row Fuzzing fuzz executions=executions targets=targets
write_page
printf 'torture: %s minutes without a finding; the figures are in %s; %s s in all\n' "$minutes" "$page" "$SECONDS"
