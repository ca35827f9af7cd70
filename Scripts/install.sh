#!/usr/bin/env bash
# Installs the command, the daemon and what they need. Run it as root; it touches no keychain.
set -euo pipefail
cd "$(dirname "$0")/.."
source Packaging/places.sh

usage() {
    cat <<'END'
usage: Scripts/install.sh [--bin DIR] [--dry-run] [PREFIX]

Installs swift-keychain for all accounts of this machine.

  PREFIX        directory whose bin gets the programs [/usr/local]
  --bin DIR     install the programs of DIR and build nothing
  --dry-run     print what would be done
  DESTDIR=DIR   put all files below DIR, as a package build does; creates no accounts

Example: sudo Scripts/install.sh --bin .build/release /usr/local
END
}

fail() {
    printf 'install: %s\n' "$@" >&2
    exit 1
}

prefix='' built='' dry_run=no destdir=${DESTDIR:-}
while [[ $# -gt 0 ]]; do
    case $1 in
        --bin)
            [[ $# -ge 2 ]] || { usage >&2; exit 2; }
            built=$2
            shift
            ;;
        --dry-run) dry_run=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) printf 'install: unknown option %s\n' "$1" >&2; usage >&2; exit 2 ;;
        *)
            [[ -z $prefix ]] || { usage >&2; exit 2; }
            prefix=$1
            ;;
    esac
    shift
done
prefix=${prefix:-/usr/local}
prefix=${prefix%/}
[[ $prefix =~ ^(/[A-Za-z0-9._+-]+)+$ ]] ||
    fail "the prefix $prefix is not an absolute path of letters, digits and . _ + -"
[[ -z $destdir || $destdir == /* ]] || fail "DESTDIR is not an absolute path: $destdir"
destdir=${destdir%/}
[[ $dry_run == yes || -n $destdir || $(id -u) -eq 0 ]] ||
    fail "installing for all accounts needs root: run this with sudo, or set DESTDIR"
set_places "$prefix"

# Programs that are linked with Swift's libraries need no directory that an account can write.
build() {
    command -v swift >/dev/null ||
        fail "swift is not on the PATH of this account" \
            "build as yourself: swift build -c release --static-swift-stdlib" \
            "and then run: sudo Scripts/install.sh --bin .build/release $prefix"
    Scripts/setup.sh
    local program
    for program in "${programs[@]}"; do
        printf 'install: building %s\n' "$program"
        swift build -c release --static-swift-stdlib --product "$program" >/dev/null ||
            fail "swift build failed; its messages are above"
    done
    built=$(swift build -c release --static-swift-stdlib --show-bin-path)
    if [[ -n $(pam_modules) ]]; then Scripts/pam-module.sh "$built/pam_keychain.so"; fi
}

# require_root_owned DIRECTORY: a protected program needs a path that only root can change.
require_root_owned() {
    local directory=$1
    while [[ ! -d $directory ]]; do directory=$(dirname "$directory"); done
    while true; do
        local owner mode
        read -r owner mode < <(stat -L -c '%u %a' "$directory")
        [[ $owner -eq 0 ]] ||
            fail "root does not own $directory, so another account could replace the programs" \
                "choose another prefix, or run: chown root:root $directory"
        (((8#$mode & 8#022) == 0)) ||
            fail "a group or all accounts can write $directory, so they could replace the programs" \
                "choose another prefix, or run: chmod go-w $directory"
        [[ $directory != / ]] || break
        directory=$(dirname "$directory")
    done
}

create_accounts() {
    if command -v systemd-sysusers >/dev/null; then
        run systemd-sysusers "$accounts/keychain.conf"
        return
    fi
    local account home=/var/lib/keychain
    getent group keychain-client >/dev/null || run groupadd --system keychain-client
    for account in keychain keychain-witness; do
        getent group "$account" >/dev/null || run groupadd --system "$account"
        getent passwd "$account" >/dev/null ||
            run useradd --system --no-create-home --home-dir "$home" --gid "$account" \
                --shell /usr/sbin/nologin "$account"
        home=/
    done
}

create_directories() {
    if command -v systemd-tmpfiles >/dev/null; then
        run systemd-tmpfiles --create "$directories/keychain.conf"
        return
    fi
    run install -d -m 0755 -o keychain -g keychain /run/keychain
    run install -d -m 0700 -o keychain -g keychain /var/lib/keychain
    run install -d -m 0755 -o root -g root /etc/keychain /etc/keychain/programs.d
}

# put FILE MODE TARGET: replaces the target in one step, so that a running program keeps its file.
# A configuration file names the programs by their real path.
put() {
    if [[ $dry_run == yes ]]; then
        printf 'install %s as %s with mode %s\n' "$1" "$3" "$2"
        return
    fi
    if [[ $2 == 0644 ]]; then
        sed "s|/usr/bin/keychain|$bin/keychain|g" "$1" >"$3.new"
        chmod "$2" "$3.new"
    else
        install -m "$2" "$1" "$3.new"
    fi
    mv -f "$3.new" "$3"
}

install_files() {
    local file directory program
    run install -d -m 0755 "$destdir$bin"
    for program in "${programs[@]}"; do put "$built/$program" 0755 "$destdir$bin/$program"; done
    if [[ -f $built/pam_keychain.so && -n $(pam_modules) ]]; then
        directory=$(pam_modules)
        run install -d -m 0755 "$destdir$directory"
        put "$built/pam_keychain.so" 0755 "$destdir$directory/pam_keychain.so"
    fi
    while read -r file directory; do
        [[ -d $destdir$directory ]] || run install -d -m 0755 "$destdir$directory"
        put "$file" 0644 "$destdir$directory/$(basename "$file")"
    done < <(files)
}

# A set-group-ID program ignores LD_PRELOAD, and no program of the account can trace it.
protect() {
    local program
    for program in "${protected[@]}"; do
        run chgrp keychain-client "$bin/$program"
        run chmod 2755 "$bin/$program"
    done
}

by_hand() {
    cat <<END
install: systemd does not run here. Start the daemon by hand, as root:
  $bin/keychain-witness --socket /run/keychain/witness &
  setpriv --reuid keychain --regid keychain --clear-groups --inh-caps=-all --bounding-set=-all \\
      --no-new-privs $bin/keychaind --system --foreground &
END
}

[[ -n $built || $dry_run == yes ]] || build
if [[ $dry_run == no || -n $built ]]; then
    for program in "${programs[@]}"; do
        [[ -f $built/$program && -x $built/$program ]] || fail "$built has no program $program"
    done
fi
built=${built:-.build/release}
[[ -n $destdir ]] || require_root_owned "$bin"
install_files
if [[ -n $destdir ]]; then
    printf 'install: the files are in %s; %s\n' "$destdir" \
        "accounts and set-group-ID bits are left to the package"
    exit 0
fi
create_accounts
create_directories
protect
if systemd_runs; then
    run systemctl daemon-reload
    run systemctl try-restart keychain-witness.service keychaind.service
fi
[[ $dry_run == no ]] || exit 0
printf 'install: the programs are in %s, the policies in %s\n' "$bin" "$policies"
if systemd_runs; then
    printf 'install: start the daemon with: systemctl enable --now %s\n' \
        'keychain-witness.socket keychaind.socket'
    printf 'install: show prompts in graphical sessions with: systemctl --global enable %s\n' \
        keychain-agent.service
else
    by_hand
fi
if [[ -e $(pam_modules)/pam_keychain.so ]]; then
    printf 'install: to unlock at login, run: pam-auth-update --enable keychain\n'
fi
printf 'install: then move your keychain into it with: keychainctl daemon adopt\n'
