#!/usr/bin/env bash
# Scripts/crowd.sh [--bin DIR] [--accounts COUNT] [--period MS] [--storms "NAME …"] [--finds COUNT]
#                  [--page FILE]
#
# Runs a system daemon for many accounts and a hostile one, and prints what another account's calls
# take meanwhile and what the daemon holds: the figures of Documentation/Performance.md, which
# --page writes. As root. Before each storm the same calls are made without it.
# Fails if 99 of 100 finds take 5 ms or more, a lock takes 2 s, or the daemon holds 256 MB.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
bin=$here/.build/release accounts=2000 period=60000 finds=1000 page=
storms="guess small change large huge all unread dribble connect silent mixed persons"
while [[ $# -gt 0 ]]; do
    case $1 in
    --bin) bin=$2 ;;
    --accounts) accounts=$2 ;;
    --period) period=$2 ;;
    --storms) storms=$2 ;;
    --finds) finds=$2 ;;
    --page) page=$2 ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
[[ $(id -u) = 0 ]] || { echo "crowd.sh: it runs programs as many accounts: run it as root" >&2; exit 2; }

place=$(mktemp -d /opt/keychain-crowd-XXXXXX)
daemon=
finish() {
    exec 7>&- 8>&- 2>/dev/null || true
    [[ -z $daemon ]] || kill "$daemon" 2>/dev/null || true
    wait || true
    rm -rf "$place"
}
trap finish EXIT
chmod 755 "$place"
install -d -m 755 "$place/bin" "$place/policy"
install -d -m 700 "$place/state"
install -m 755 "$bin/keychaind" "$bin/keychain-witness" "$place/bin/"
cc -O1 -o "$place/bin/crowd" "$here"/Scripts/crowd/*.c
crowd=$place/bin/crowd
socket=$place/socket
victim=4000000 hostile=4000010 range=1200000000
ulimit -n "$(ulimit -Hn)"

# The hostile account has subordinate numbers, as useradd(8) gives them.
echo "$((hostile + 1)):$range:65536" >"$place/subuid"
unshare -m /bin/sh -c 'touch /etc/subuid && mount --bind "$0" /etc/subuid && exec "$@"' \
    "$place/subuid" "$place/bin/keychaind" --system --foreground --state "$place/state" \
    --socket "$socket" --policy "$place/policy" >"$place/log" 2>&1 &
daemon=$!
await() { # FILE WORDS: waits until a file has the words
    local tries=0
    until grep -q "$2" "$1" 2>/dev/null; do
        sleep 0.1
        tries=$((tries + 1))
        [[ $tries -lt 6000 ]] || { echo "crowd.sh: no '$2' in $1:" >&2; tail "$1" >&2; exit 1; }
    done
}
size() { awk -v name="$1:" '$1 == name {print int($2 * 1024 / 1000000)}' "/proc/$daemon/$2"; }
held() { # what the daemon holds now, and at most since the last time
    echo "$(size VmRSS status) MB resident, $(size VmHWM status) MB at most," \
        "$(size Pss smaps_rollup) MB of its own, $(ls "/proc/$daemon/task" | wc -l) threads," \
        "$(ls "/proc/$daemon/fd" | wc -l) descriptors"
}
await "$place/log" ' serves '
echo "at rest: $(held)"
mkfifo "$place/crowd.in" "$place/storm.in"
"$crowd" crowd "$socket" 3000000 "$accounts" "$period" <"$place/crowd.in" >"$place/crowd.out" 2>&1 &
exec 7>"$place/crowd.in"
await "$place/crowd.out" ready
head -1 "$place/crowd.out"
echo "with them: $(held)"
crowd_finds() { # what the crowd's own finds took since the last time
    local count
    count=$(grep -c '^crowd: ' "$place/crowd.out" || true)
    echo >&7
    until [[ $(grep -c '^crowd: ' "$place/crowd.out") -gt $count ]]; do sleep 0.1; done
    tail -1 "$place/crowd.out"
}
value() { sed -n "s/.*$2 \([0-9]*\) us.*/\1/p" <<<"$1"; } # LINE WORDS
ms() { awk -v us="$1" 'BEGIN {printf "%.1f", us / 1000}'; }
failed() { sed -n 's/.*, \([0-9]*\) failed.*/\1/p' <<<"$1"; }

status=0
rows=() quiet=()
measure() { # NAME: the calls of the other accounts, and what the daemon holds
    local find call all lock idle cpu
    echo 5 >"/proc/$daemon/clear_refs"
    crowd_finds >/dev/null
    find=$("$crowd" find "$socket" $victim "$finds")
    call=$("$crowd" call "$socket" $((victim + 1)) $((finds / 10)))
    all=$(crowd_finds)
    lock=- idle=-
    if [[ $1 != quiet ]]; then
        lock=$("$crowd" lock "$socket" $((victim + 2)) 3)
        idle=$("$crowd" idle "$socket" $((victim + 3)) 3 "$place/log")
    fi
    printf '  %s\n' "$find" "$call" "$all" "$lock" "$idle" "$(held)"
    if [[ $1 = quiet ]]; then
        quiet=("$(value "$find" median)" "$(value "$find" under)" "$(value "$call" under)" \
            "$(value "$all" under)" "$(size VmHWM status)")
    else
        rows+=("$(printf '| %s | %s ms (%s) | %s ms (%s) | %s ms (%s) | %s ms (%s) | %s ms | %s ms | %s MB (%s) | %s | %s |' \
            "$1" "$(ms "$(value "$find" median)")" "$(ms "${quiet[0]}")" \
            "$(ms "$(value "$find" under)")" "$(ms "${quiet[1]}")" \
            "$(ms "$(value "$call" under)")" "$(ms "${quiet[2]}")" \
            "$(ms "$(value "$all" under)")" "$(ms "${quiet[3]}")" \
            "$(ms "$(value "$lock" most)")" "$(ms "$(value "$idle" most)")" \
            "$(size VmHWM status)" "${quiet[4]}" \
            "$(ls "/proc/$daemon/task" | wc -l)" "$(ls "/proc/$daemon/fd" | wc -l)")")
    fi
    [[ $1 != quiet ]] || return 0
    judge "$1" "$(value "$find" under)" 5000 "us for 99 of 100 finds"
    judge "$1" "$(value "$lock" most)" 2000000 "us for a lock"
    judge "$1" "$(value "$idle" most)" 2000000 "us for a lock by idle time"
    judge "$1" "$(size VmHWM status)" 256 "MB"
    for line in "$find" "$call" "$all" "$lock" "$idle"; do
        [[ $(failed "$line") = 0 ]] || { echo "crowd.sh: $1: $line" >&2; status=1; }
    done
}
judge() { # STORM FIGURE LIMIT UNIT
    [[ $2 -lt $3 ]] || { echo "crowd.sh: $1: $2 $4" >&2; status=1; }
}
for storm in $storms; do
    echo "quiet, before $storm ($(cut -d' ' -f1 /proc/loadavg) wait for a processor):"
    measure quiet
    # A keychain of its own, so that no storm meets what another one stored.
    hostile=$((hostile + 1))
    first=$hostile count=1 name=$storm
    [[ $storm != persons ]] || { first=$range count=16 name=mixed; }
    # A session of its own, as an account that logs in has, with the same share of the processors.
    setsid "$crowd" storm "$socket" "$first" "$count" 64 "$name" \
        <"$place/storm.in" >"$place/storm.out" 2>&1 &
    storming=$!
    [[ ! -e /proc/self/autogroup ]] \
        || sed 's/.*nice //' "/proc/$$/autogroup" >"/proc/$storming/autogroup" || true
    exec 8>"$place/storm.in"
    await "$place/storm.out" hostile
    sleep 3
    echo "$storm:"
    measure "$storm"
    exec 8>&-
    wait "$storming"
    echo "  $(tail -1 "$place/storm.out")"
    sleep 2
done
exec 7>&-
report() {
    local busy
    busy=$(cut -d' ' -f1 /proc/loadavg)
    echo "$accounts accounts; $(nproc) processors; load average at the end: $busy; $(date -I)."
    echo
    echo '| storm | find, median | find, 99 of 100 | connection and find, 99 of 100 | finds of the crowd, 99 of 100 | lock, longest | lock by idle time, longest | memory, most | threads | descriptors |'
    echo '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|'
    printf '%s\n' "${rows[@]}"
}
report | tee "$place/report"
if [[ -n $page ]]; then
    # Between the two marks of the page.
    sed -i -e '/^<!-- crowd -->$/,/^<!-- \/crowd -->$/{//!d}' \
        -e "/^<!-- crowd -->$/r $place/report" "$page"
fi
exit $status
