#!/usr/bin/env bash
# Scripts/relays-real.sh [syncthing|git|files|machine|postgresql|etcd]…: two keychains share items
# through relays as operators run them, with programs of Debian 12: Syncthing, git, file systems,
# PostgreSQL over TLS, etcd with client certificates. Prints one line for each step, and the rest in
# case of a failure. Everything is in a temporary directory and on 127.0.0.1. Without a name: all.
# KEYCHAIN_BIN: the directory of the programs [.build/debug]. Exit status: 0 if all held, 1 if a
# promise broke, 3 if something could not be tried and the rest held.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD/Scripts/relays
bin=$(realpath "${KEYCHAIN_BIN:-.build/debug}")
[[ -x $bin/keychainctl && -x $bin/keychain-sync ]] ||
    { echo "relays-real: build keychainctl and keychain-sync first" >&2; exit 2; }
work=$(mktemp -d /tmp/relays-XXXXXX)
chmod 755 "$work"
failed=0
missing=0
running=()
mounted=()

source "$here/devices.sh"
for part in syncthing git files machine postgresql etcd; do source "$here/$part.sh"; done

finish() {
    local process place
    for process in "${running[@]}"; do kill "$process" 2>/dev/null || true; done
    for process in "${running[@]}"; do wait "$process" 2>/dev/null || true; done
    for place in "${mounted[@]}"; do umount -l "$place" 2>/dev/null || true; done
    stop_postgresql
    rm -rf --one-file-system "$work" "/var/tmp/${work##*/}"
}
trap finish EXIT
trap 'exit 130' INT TERM

parts=("$@")
(($#)) || parts=(syncthing git files machine postgresql etcd)
for part in "${parts[@]}"; do
    case $part in
    syncthing|git|files|machine|postgresql|etcd) "try_$part" ;;
    *) echo "relays-real: there is no part '$part'" >&2; exit 2 ;;
    esac
done
((failed == 0)) || exit 1
((missing == 0)) || exit 3
