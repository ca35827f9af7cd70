#!/usr/bin/env bash
# Scripts/crowd.sh [--bin DIR] [--accounts COUNT] [--period MS]
#
# Runs a system daemon for many accounts and a hostile one, and prints what another account's calls
# take meanwhile and what the daemon holds: the figures of Documentation/Performance.md. As root.
# Fails if 99 of 100 finds take 5 ms or more, a lock takes 2 s, or the daemon holds 256 MB.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
bin=$here/.build/release accounts=2000 period=10000
while [[ $# -gt 0 ]]; do
    case $1 in
    --bin) bin=$2 ;;
    --accounts) accounts=$2 ;;
    --period) period=$2 ;;
    *) sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
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
cc -O1 -o "$place/bin/crowd" "$here/Scripts/crowd/crowd.c"
ulimit -n "$(ulimit -Hn)"
"$place/bin/keychaind" --system --foreground --state "$place/state" --socket "$place/socket" \
    --policy "$place/policy" >"$place/log" 2>&1 &
daemon=$!
await() { # FILE WORDS: waits until a file has the words
    local tries=0
    until grep -q "$2" "$1" 2>/dev/null; do
        sleep 0.1
        tries=$((tries + 1))
        [[ $tries -lt 6000 ]] || { echo "crowd.sh: no '$2' in $1:" >&2; cat "$1" >&2; exit 1; }
    done
}
memory() { # LABEL
    local rss high fds
    rss=$(awk '/VmRSS/ {print int($2/1024)}' "/proc/$daemon/status")
    high=$(awk '/VmHWM/ {print int($2/1024)}' "/proc/$daemon/status")
    fds=$(ls "/proc/$daemon/fd" | wc -l)
    echo "$1: $rss MiB resident, $high MiB at most, $fds descriptors," \
        "$(ls "/proc/$daemon/task" | wc -l) threads"
}
await "$place/log" ' serves '
memory "at rest"
mkfifo "$place/crowd.in" "$place/guess.in"
"$place/bin/crowd" crowd "$place/socket" 3000000 "$accounts" "$period" \
    <"$place/crowd.in" >"$place/crowd.out" 2>&1 &
exec 7>"$place/crowd.in"
await "$place/crowd.out" ready
head -1 "$place/crowd.out"
memory "with them"
"$place/bin/crowd" probe "$place/socket" 4000000 1000 | tee "$place/quiet"
"$place/bin/crowd" guess "$place/socket" 4000001 40 <"$place/guess.in" >"$place/guess.out" 2>&1 &
exec 8>"$place/guess.in"
await "$place/guess.out" guessing
"$place/bin/crowd" probe "$place/socket" 4000000 2000 | tee "$place/find"
"$place/bin/crowd" lock "$place/socket" 4000002 5 | tee "$place/lock"
memory "with the hostile one"
resident=$(awk '/VmHWM/ {print int($2*1024/1000000)}' "/proc/$daemon/status")
exec 7>&- 8>&-
await "$place/guess.out" answers
tail -1 "$place/guess.out"
await "$place/crowd.out" lost
tail -1 "$place/crowd.out"

find=$(sed 's/.*99 of 100 under \([0-9]*\) us.*/\1/' "$place/find")
lock=$(sed 's/.*most \([0-9]*\) us.*/\1/' "$place/lock")
status=0
[[ $find -lt 5000 ]] || { echo "crowd.sh: finds take $find us" >&2; status=1; }
[[ $lock -lt 2000000 ]] || { echo "crowd.sh: a lock takes $lock us" >&2; status=1; }
[[ $resident -lt 256 ]] || { echo "crowd.sh: the daemon held $resident MB" >&2; status=1; }
grep -q ', 0 failed' "$place/find" "$place/lock" || status=1
exit $status
