#!/usr/bin/env bash
# Scripts/relays.sh [--speed]: tries every relay of synchronization with the same tests, each with a
# real server in a private directory, and prints one line for each relay. Exit status 1 if one
# failed or could not be tried. etcd is fetched from Debian if it is not installed; PostgreSQL has
# to be installed. With --speed: prints how fast each one is, beside the same by libpq or write and
# fsync alone; BUILD_OPTIONS go to the build.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
cluster=
server=
leave() {
    if [[ -n $server ]]; then kill -9 "$server" && wait "$server" || true; fi 2>/dev/null
    [[ -z $cluster ]] || as_owner "$programs/pg_ctl" -D "$cluster" -m immediate stop >/dev/null || true
    rm -rf "$folder"
}
trap leave EXIT
chmod 755 "$folder"
read -ra options <<<"${BUILD_OPTIONS:-}"
missing=0

programs=$(find /usr/lib/postgresql -maxdepth 3 -path '*/bin/initdb' 2>/dev/null | sort -V | tail -1)
programs=${programs%/initdb}

etcd=$(command -v etcd || true)
if [[ -z $etcd ]] && command -v apt-get >/dev/null; then
    (cd "$folder" && apt-get download etcd-server >/dev/null 2>&1 && dpkg-deb -x etcd-server_*.deb etcd) || true
    [[ -x $folder/etcd/usr/bin/etcd ]] && etcd=$folder/etcd/usr/bin/etcd
fi
export KEYCHAIN_ETCD=$etcd

# reason RELAY: why it cannot be tried; nothing if it can.
reason() {
    [[ $1 != postgreSQL || -n $programs ]] || echo "PostgreSQL is not installed: sudo apt-get install postgresql"
    [[ $1 != etcd || -n $etcd ]] || echo "etcd is not installed and could not be fetched"
}

try_all() {
    export KEYCHAIN_TARGETS=KeychainSyncTests
    swift build "${options[@]}" --build-tests >"$folder/build" 2>&1 || { tail -20 "$folder/build"; exit 1; }
    local relay why last
    for relay in memory directory postgreSQL etcd; do
        why=$(reason $relay)
        if [[ -n $why ]]; then
            printf '%-12s not tried: %s\n' "$relay" "$why"
            missing=1
            continue
        fi
        if KEYCHAIN_RELAYS=$relay swift test "${options[@]}" --skip-build --disable-xctest --filter Relay >"$folder/log" 2>&1
        then last=$(grep -a 'Test run with' "$folder/log" | sed 's/^[^T]*//')
        else
            last="FAILED: $(grep -ac 'recorded an issue' "$folder/log") issues"
            missing=1
            grep -a 'recorded an issue' "$folder/log" | head -20 >&2
        fi
        printf '%-12s %s\n' "$relay" "$last"
    done
}

as_owner() {
    if [[ $(id -u) -eq 0 ]]; then setpriv --reuid=postgres --clear-groups "$@"; else "$@"; fi
}

start_servers() {
    if [[ -n $programs ]]; then
        mkdir "$folder/pg"
        [[ $(id -u) -ne 0 ]] || chown postgres "$folder/pg"
        cluster=$folder/pg/data
        as_owner "$programs/initdb" -D "$cluster" -U sync -A trust --no-locale >/dev/null
        as_owner "$programs/pg_ctl" -D "$cluster" -l "$folder/pg/log" -w start \
            -o "-k $folder/pg -c listen_addresses=" >/dev/null
    fi
    if [[ -n $etcd ]]; then
        local place=http://127.0.0.1:22379 peers=http://127.0.0.1:22380
        "$etcd" --data-dir "$folder/etcd-data" --name speed \
            --listen-client-urls $place --advertise-client-urls $place \
            --listen-peer-urls $peers --initial-advertise-peer-urls $peers \
            --initial-cluster speed=$peers >"$folder/etcd-log" 2>&1 &
        server=$!
        until curl -fs $place/health >/dev/null; do sleep 0.1; done
    fi
}

# line NAME COMMAND…: runs it and prints its figures in one line.
line() {
    local name=$1
    shift
    printf '%-24s %s\n' "$name" "$("$@" | paste -sd ' ')"
}

show_speed() {
    KEYCHAIN_TARGETS=keychain-relay-speed swift build "${options[@]}" -c release \
        --product keychain-relay-speed >"$folder/build" 2>&1 || { tail -20 "$folder/build"; exit 1; }
    local tool bytes count
    tool=$(KEYCHAIN_TARGETS=keychain-relay-speed swift build "${options[@]}" -c release --show-bin-path)
    tool=$tool/keychain-relay-speed
    cc -O2 -o "$folder/floor" Tools/RelaySpeed/Floor/floor.c -I"$(pg_config --includedir)" -lpq
    start_servers
    printf 'entries per second; milliseconds until another connection hears of one\n'
    for bytes in 1 65536; do
        count=$((bytes == 1 ? 2000 : 500))
        mkdir -p "$folder/files-$bytes"
        line "directory $bytes" "$tool" directory "$folder/directory" $count $bytes
        line "  write, fsync $bytes" "$folder/floor" files "$folder/files-$bytes" $count $bytes
        if [[ -n $programs ]]; then
            line "postgresql $bytes" "$tool" postgresql "host=$folder/pg user=sync dbname=postgres" $count $bytes
            line "  libpq $bytes" "$folder/floor" postgresql "host=$folder/pg user=sync dbname=postgres" $count $bytes
        fi
        [[ -z $etcd ]] || line "etcd $bytes" "$tool" etcd http://127.0.0.1:22379 $count $bytes
    done
}

if [[ ${1:-} == --speed ]]; then show_speed; else try_all; fi
exit $missing
