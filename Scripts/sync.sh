#!/usr/bin/env bash
# Scripts/sync.sh [--count N]: two accounts with two keychains each share items through a PostgreSQL
# server of its own: added, changed, deleted, in conflict, with kills, with the server stopped and
# started, with a keychain that comes back late, with removals, and with the recovery key alone.
# Prints one line for each step, and the figures.
# KEYCHAIN_BIN: the directory of the programs [.build/debug]. N: items of the first synchronization
# [10000]. As root the accounts are two; else both are yours. Exit status: 0 if all held, else 1.
set -euo pipefail
cd "$(dirname "$0")/.."
count=10000
[[ ${1:-} != --count ]] || count=$2
bin=$(realpath "${KEYCHAIN_BIN:-.build/debug}")
[[ -x $bin/keychain-sync && -x $bin/keychain-relay ]] || { echo "sync: build keychain-sync and keychain-relay first" >&2; exit 2; }
server=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
[[ -x $server/initdb ]] || { echo "sync: install postgresql" >&2; exit 2; }
work=$(mktemp -d)
chmod 755 "$work"
mkdir -m 755 "$work/bin"
cp "$bin"/{keychainctl,keychain-sync,keychain-relay} "$work/bin"
failed=0
running=()

say() { printf '%-58s %s\n' "$1" "$2"; }
# holds TITLE COMMAND…: one line for one promise.
holds() {
    local title=$1
    shift
    if "$@" >"$work/last" 2>&1; then say "$title" ok; else
        say "$title" FAILED
        sed 's/^/    /' "$work/last"
        failed=1
    fi
}
finish() {
    for process in "${running[@]}"; do kill -9 "$process" 2>/dev/null || true; done
    as_server "$server/pg_ctl" -D "$work/server/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap finish EXIT

# Accounts: numbers that nobody else has.
if [[ $EUID -eq 0 ]]; then
    numbers=(61001 61002)
    as_server() { setpriv --reuid "$(id -u postgres)" --regid "$(id -g postgres)" --clear-groups "$@"; }
    as() { local n=$1; shift; setpriv --reuid "$n" --regid "$n" --clear-groups "$@"; }
else
    say "one account only: run as root for two" note
    numbers=("$EUID" "$EUID")
    as_server() { "$@"; }
    as() { shift; "$@"; }
fi
declare -A account=([desk]=${numbers[0]} [laptop]=${numbers[0]} [phone]=${numbers[1]} [tablet]=${numbers[1]} [spare]=${numbers[1]})
relay="postgresql:///keychain?host=$work/server/socket&user=sync"

# on DEVICE COMMAND…: keychainctl on one keychain.
on() {
    local device=$1
    shift
    as "${account[$device]}" env -i PATH="$work/bin:/usr/bin:/bin" HOME="$work/$device" \
        TMPDIR="$work/$device" KEYCHAIN_HOME="$work/$device/keychain" "$work/bin/keychainctl" "$@"
}
# Names and values begin so that they are found wherever they are.
add() { printf 'kcvalue-%s\n' "$3" | on "$1" -q add-generic-password -U -s kcservice -a "$2" --synchronizable; }
value() { on "$1" find-generic-password -s kcservice -a "$2" -w --synchronizable 2>/dev/null || true; }
delete() { on "$1" delete-generic-password -s kcservice -a "$2" --synchronizable >/dev/null 2>&1; }
once() { local d; for d in "$@"; do on "$d" sync once >/dev/null; done; }
has() { local v; v=$(value "$1" "$2"); [[ $v == "${3:+kcvalue-$3}" ]] || { echo "$1 has '$v', not '$3'"; return 1; }; }
# all NAME VALUE: every keychain has it.
all() { local d; for d in desk laptop phone tablet; do has "$d" "$1" "$2" || return 1; done; }
fact() { on "$1" sync status --json | sed -n "s/.*\"$2\": \"\\(.*\\)\".*/\\1/p" | head -n 1; }

start_server() { as_server "$server/pg_ctl" -D "$work/server/data" -w -l "$work/server/log" \
    -o "-k $work/server/socket -c listen_addresses=''" start >/dev/null; }
stop_server() { as_server "$server/pg_ctl" -D "$work/server/data" -m immediate stop >/dev/null; }

mkdir -p "$work/server/socket"
[[ $EUID -ne 0 ]] || chown -R postgres: "$work/server"
as_server "$server/initdb" -D "$work/server/data" -U sync -A trust >/dev/null
start_server
as_server "$server/createdb" -h "$work/server/socket" -U sync keychain
for device in desk laptop phone tablet spare; do
    mkdir -m 700 "$work/$device"
    [[ $EUID -ne 0 ]] || chown "${account[$device]}:${account[$device]}" "$work/$device"
done

# The circle.
add desk first one 2>/dev/null
# The command shows a recovery key, and asks for it once more.
coproc create { on desk -q sync create --relay "$relay" --name kcdev-desk 2>/dev/null; }
create_process=$!
read -r recovery <&"${create[0]}"
printf '%s\n' "$recovery" >&"${create[1]}"
wait "$create_process"
code=$(fact desk circle)
for device in laptop phone tablet; do
    on "$device" -q sync join "$code" --relay "$relay" --name "kcdev-$device" >/dev/null 2>&1
    on desk sync approve "$(fact "$device" fingerprint)" >/dev/null
    once "$device"
done
once desk laptop phone tablet
same_chain() {
    local d code
    code=$(fact desk head)
    for d in "$@"; do [[ -n $code && $(fact "$d" head) == "$code" ]] || { echo "$d has another chain"; return 1; }; done
}
holds "all four show the same code of the chain" same_chain laptop phone tablet
holds "an item is on all four keychains of two accounts" all first one

# Changes.
add phone first two
once phone desk laptop tablet
holds "a change is on all" all first two
add laptop gone away
once laptop desk phone tablet
delete tablet gone
once tablet desk laptop phone
holds "a deletion is on all" all gone ""
add desk both earlier
sleep 0.01
add phone both later
once desk phone laptop tablet desk
holds "of two changes the later is on all" all both later

# Kills, at whatever step they hit.
for round in 1 2 3 4 5 6 7 8; do
    add desk "kill$round" "value $round"
    on desk sync once >/dev/null 2>&1 &
    victim=$!
    sleep "0.0$((round * 9 % 10))"
    pkill -9 -P "$victim" 2>/dev/null || true
    kill -9 "$victim" 2>/dev/null || true
    wait "$victim" 2>/dev/null || true
done
once desk laptop phone tablet
killed() { local r; for r in 1 2 3 4 5 6 7 8; do all "kill$r" "value $r" || return 1; done; }
holds "eight kills of a keychain lose nothing" killed
add laptop server before
stop_server
holds "without the server, a change stays and is told later" has laptop server before
! on laptop sync once >/dev/null 2>&1 || failed=1
start_server
once laptop desk phone tablet
holds "the server was killed and started: all have the change" all server before

# A keychain that comes back late.
delete desk first
add desk second new
once desk laptop phone
add tablet first old-edit-is-newer
add tablet third late
once tablet desk laptop phone
holds "a keychain that was away brings its changes" all third late
holds "and gets those that it missed" all second new

# Removal: a keeper may, and no other device.
refused() { ! on phone sync remove kcdev-tablet; }
holds "a device that is no keeper removes nobody" refused
on desk sync promote kcdev-laptop >/dev/null
on laptop sync remove kcdev-tablet >/dev/null
add desk secret-after-removal after
once desk laptop phone
on tablet sync once >/dev/null 2>&1 || true
holds "a removed keychain gets nothing new" has tablet secret-after-removal ""

# The recovery key lets a device in when no other is left.
printf '%s\n' "$recovery" |
    on spare -q sync join "$code" --relay "$relay" --name kcdev-spare --recovery >/dev/null
once spare
holds "the recovery key alone opens the circle to a new device" has spare secret-after-removal after
once desk laptop phone
holds "and all follow it" same_chain laptop phone spare

# What the server has.
as_server "$server/pg_dump" -h "$work/server/socket" -U sync keychain >"$work/dump"
as_server "$server/pg_ctl" -D "$work/server/data" -m fast stop >/dev/null
silent() { ! grep -r -a -i -l -E 'kcservice|kcvalue|kcdev' "$work/dump" "$work/server/data"; }
holds "no name and no value is in the database" silent
hidden() { ! grep -q -i -E "$(for word in kcservice kcvalue kcdev; do
    printf '%s' "$word" | od -An -tx1 | tr -d ' \n'; printf '|'; done | sed 's/|$//')" "$work/dump"; }
holds "nor in hexadecimal in its dump" hidden
start_server

# Figures.
if [[ $count -gt 0 ]]; then
    seq 1 "$count" | awk '{ printf "item%s,value %s\n", $1, $1 }' >"$work/items"
    fill() { while IFS=, read -r name text; do
        printf 'add-generic-password -s many -a %s -w "%s" --synchronizable\n' "$name" "$text"
    done <"$work/items" | on desk -q -i >/dev/null; }
    fill
    begin=$(date +%s.%N)
    once desk
    middle=$(date +%s.%N)
    once phone
    end=$(date +%s.%N)
    many() { [[ $(on phone sync status --json | sed -n 's/.*"items": \([0-9]*\).*/\1/p') -ge $count ]]; }
    holds "$count items are on another keychain" many
    say "first synchronization, sent" "$(awk "BEGIN { print $middle - $begin }") s"
    say "first synchronization, received" "$(awk "BEGIN { print $end - $middle }") s"
    on phone sync run >"$work/run.log" 2>&1 &
    running+=($!)
    on desk sync run >"$work/run2.log" 2>&1 &
    running+=($!)
    sleep 3
    : >"$work/times"
    for round in 1 2 3 4 5; do
        add desk "live$round" now
        begin=$(date +%s.%N)
        for _ in $(seq 300); do
            [[ $(value phone "live$round") != kcvalue-now ]] || break
            sleep 0.01
        done
        awk "BEGIN { print $(date +%s.%N) - $begin }" >>"$work/times"
    done
    pkill -9 -f "$work/bin/keychain-sync" 2>/dev/null || true
    say "a change is seen by an idle keychain, five times" "$(sort -n "$work/times" | paste -sd ' ') s"
fi
exit "$failed"
