#!/usr/bin/env bash
# Scripts/files-speed.sh [MEGABYTES [DIRECTORY]]: how fast protected files are, beside `openssl speed`
# with pieces of the same size, `age`, `gocryptfs -speed` and `cryptsetup benchmark`, as far as they
# are installed (Debian: age, gocryptfs, cryptsetup-bin). Writes to standard output only.
set -euo pipefail
cd "$(dirname "$0")/.."

megabytes=${1:-512}
directory=${2:-${TMPDIR:-/tmp}}
[[ $megabytes =~ ^[1-9][0-9]*$ ]] || { printf 'files-speed: not a number: %s\n' "$megabytes" >&2; exit 2; }
work=$(mktemp -d "$directory/files-speed.XXXXXX")
trap 'rm -rf "$work"' EXIT

title() { printf '\n== %s\n' "$1"; }

# rate LABEL COMMAND…: megabytes each second of a command that handles all of them.
rate() {
    local label=$1 start end
    shift
    start=$(date +%s%N)
    "$@"
    end=$(date +%s%N)
    awk -v label="$label" -v megabytes="$megabytes" -v nanoseconds=$((end - start)) \
        'BEGIN { printf "%s: %d MiB/s\n", label, megabytes / (nanoseconds / 1e9) }'
}

with_age() { age --encrypt --recipients-file "$work/recipient" --output "$work/age" "$work/plain"; }
from_age() { age --decrypt --identity "$work/identity" --output /dev/null "$work/age"; }

export KEYCHAIN_TARGETS=keychain-file-speed
swift build -c release --product keychain-file-speed >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
tool=$(swift build -c release --product keychain-file-speed --show-bin-path)/keychain-file-speed
unset KEYCHAIN_TARGETS

title "machine: $(nproc) × $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
uptime
title "openssl speed, one thread, pieces of 64 KiB"
openssl speed -evp aes-256-gcm -bytes 65536 -seconds 2 2>/dev/null | tail -n 1
title "protected files, $megabytes MiB in $directory"
"$tool" "$work" "$megabytes"
head -c "${megabytes}M" /dev/urandom >"$work/plain"
if command -v age >/dev/null; then
    title "age"
    age-keygen --output "$work/identity" 2>/dev/null
    age-keygen -y "$work/identity" >"$work/recipient"
    rate "writing" with_age
    rate "reading" from_age
fi
if command -v gocryptfs >/dev/null; then
    title "gocryptfs -speed, in memory"
    gocryptfs -speed | grep AES || true
fi
if command -v cryptsetup >/dev/null; then
    title "cryptsetup benchmark, in the kernel and in memory"
    cryptsetup benchmark --cipher aes-xts --key-size 512 | tail -n 1 || printf 'not possible here\n'
fi
