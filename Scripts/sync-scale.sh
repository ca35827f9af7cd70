#!/usr/bin/env bash
# Scripts/sync-scale.sh [--quick] [OPTION VALUE]…: how far synchronization goes with one PostgreSQL.
# Builds keychain-sync-scale, starts a server of its own, and prints figures in Markdown; progress
# goes to standard error. Everything is removed at the end. --quick: a few devices, some seconds
# after the build. Options are those of keychain-sync-scale and replace the usual numbers; without
# any, 1000 devices and all the rest take about half an hour. BUILD_OPTIONS go to the build.
set -euo pipefail
cd "$(dirname "$0")/.."

quick=(--devices 6 --accounts 2 --items 50 --connections 2 --changes 5 --checkpoints 1 --circles 5
    --crowds 20 --filled 100,1000 --samples 20)
arguments=()
if [[ ${1:-} == --quick ]]; then
    arguments=("${quick[@]}")
    shift
fi
arguments+=("$@")

programs=$(find /usr/lib/postgresql -maxdepth 3 -path '*/bin/initdb' 2>/dev/null | sort -V | tail -1)
programs=${programs%/initdb}
[[ -n $programs ]] || { echo "sync-scale: PostgreSQL is not installed: sudo apt-get install postgresql" >&2; exit 2; }

folder=$(mktemp -d)
as_owner() {
    if [[ $(id -u) -eq 0 ]]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi
}
leave() {
    as_owner "$programs/pg_ctl" -D "$folder/pg/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap leave EXIT
trap 'exit 130' INT TERM
chmod 755 "$folder"

read -ra options <<<"${BUILD_OPTIONS:-}"
export KEYCHAIN_TARGETS=keychain-sync-scale
echo "sync-scale: building" >&2
swift build "${options[@]}" -c release --product keychain-sync-scale >"$folder/build" 2>&1 ||
    { tail -20 "$folder/build" >&2; exit 1; }
tool=$(swift build "${options[@]}" -c release --show-bin-path)/keychain-sync-scale

# Debian's settings, and more connections.
mkdir "$folder/pg"
[[ $(id -u) -ne 0 ]] || chown postgres: "$folder/pg"
as_owner "$programs/initdb" -D "$folder/pg/data" -U sync -A trust --no-locale >/dev/null
as_owner "$programs/pg_ctl" -D "$folder/pg/data" -l "$folder/pg/log" -w start \
    -o "-k $folder/pg -c listen_addresses= -c max_connections=${KEYCHAIN_SCALE_CONNECTIONS:-5000}" >/dev/null

ulimit -n "$(ulimit -Hn)"
echo "$(nproc) processors, $(awk '/MemTotal/ { print int($2 / 1048576 + 0.5) }' /proc/meminfo) GiB," \
    "$("$programs/postgres" --version), $(findmnt -n -o FSTYPE -T "$folder")"
"$tool" "host=$folder/pg user=sync" "${arguments[@]}"
