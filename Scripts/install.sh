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
  --bin DIR     install the programs of DIR; compile only the PAM module, if DIR has none
  --dry-run     print what would be done
  DESTDIR=DIR   put all files below DIR, as a package build does; creates no accounts
  LIBDIR=DIR    the directory of the PKCS #11 library [PREFIX/lib]

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
            "build as yourself: Scripts/release.sh" \
            "and then run: sudo Scripts/install.sh --bin .build/release $prefix"
    printf 'install: building the programs; this takes some minutes\n'
    built=$(Scripts/release.sh) || fail "the programs cannot be built; see above"
}

can_compile_module() {
    [[ -n ${CC:-$(command -v clang || command -v cc)} && -e /usr/include/security/pam_modules.h ]]
}

# Sets `module` to the PAM module: that of DIR, or one that this compiles. Without a compiler and the
# headers there is none. A build installs the headers first, so a dry run of it expects them.
find_module() {
    local log
    module=''
    [[ -n $(pam_modules) ]] || return 0
    if [[ $builds == no && -f $built/pam_keychain.so ]]; then
        module=$built/pam_keychain.so
    elif [[ $builds$dry_run != yesyes ]] && ! can_compile_module; then
        printf 'install: the PAM module is left out: %s\n' \
            "install a C compiler and libpam0g-dev, and run this again" >&2
    elif [[ $dry_run == yes ]]; then
        module=pam_keychain.so
        printf 'Scripts/pam-module.sh %s\n' "$module"
    else
        log=$(Scripts/pam-module.sh "$temporary/pam_keychain.so" 2>&1) ||
            fail "the PAM module does not compile:" "$log"
        module=$temporary/pam_keychain.so
    fi
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

# write_manual: man pages and completions, by the programs that are to be installed. The date of the
# pages is that of the package, if there is one.
write_manual() {
    local page date=()
    manual_files=$temporary/share
    [[ $dry_run == no ]] || return 0
    [[ -z ${SOURCE_DATE_EPOCH-} ]] || date=(--date "$(date -u -d "@$SOURCE_DATE_EPOCH" +%F)")
    "$built/keychainctl" manual "${date[@]}" "$manual_files" 2>/dev/null ||
        fail "$built/keychainctl writes no manual; it may need a library that is missing here"
    for page in "${manual[@]}"; do
        "$built/${page%.*}" --help |
            "$built/keychainctl" manual "${date[@]}" --program "$page" "$manual_files" 2>/dev/null ||
            fail "$built/${page%.*} --help is no page of the manual"
    done
}

# put FILE MODE TARGET: replaces the target in one step, so that a running program keeps its file.
# A configuration file names the programs by their real path.
put() {
    if [[ $dry_run == yes ]]; then
        printf 'install %s as %s with mode %s\n' "$1" "$3" "$2"
        return
    fi
    if [[ $2 == 0644 ]]; then
        sed "s|/usr/bin/keychain|$bin/keychain|g; s|/usr/lib/libkeychain|$libraries/libkeychain|g" \
            "$1" >"$3.new"
        chmod "$2" "$3.new"
    else
        install -m "$2" "$1" "$3.new"
    fi
    mv -f "$3.new" "$3"
}

# A dry run of a build expects the library.
has_library() { [[ -f $built/libkeychain-pkcs11.so || $builds$dry_run == yesyes ]]; }

install_files() {
    local file directory program
    run install -d -m 0755 "$destdir$bin"
    for program in "${programs[@]}"; do
        put "$built/$program" "$(mode_of "$program")" "$destdir$bin/$program"
    done
    if has_library; then
        run install -d -m 0755 "$destdir$libraries"
        put "$built/libkeychain-pkcs11.so" 0755 "$destdir$libraries/libkeychain-pkcs11.so"
    fi
    if [[ -n $module ]]; then
        directory=$(pam_modules)
        run install -d -m 0755 "$destdir$directory"
        put "$module" 0755 "$destdir$directory/pam_keychain.so"
    fi
    while read -r file directory; do
        # A configuration without its module would be an error in the log of every login.
        [[ -n $module || $directory != "$pam_configs" ]] || continue
        has_library || [[ $directory != "$token_modules" && $directory != "$libraries" ]] || continue
        [[ -d $destdir$directory ]] || run install -d -m 0755 "$destdir$directory"
        put "$file" 0644 "$destdir$directory/$(basename "$file")"
    done < <(files)
    if [[ $dry_run == yes ]]; then
        printf 'install the man pages and completions below %s\n' "$share"
        return
    fi
    while read -r file; do
        [[ -d $destdir$share/${file%/*} ]] || install -d -m 0755 "$destdir$share/${file%/*}"
        put "$manual_files/$file" 0644 "$destdir$share/$file"
    done < <(shared_files "$manual_files")
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
install: systemd does not run here. Start the daemon by hand, as root, after each start of the machine:
  install -d -m 0755 -o keychain -g keychain /run/keychain
  $bin/keychain-witness --socket /run/keychain/witness &
  setpriv --reuid keychain --regid keychain --clear-groups --inh-caps=-all --bounding-set=-all \\
      --no-new-privs $bin/keychaind --system --foreground &
END
}

builds=no
if [[ -z $built ]]; then
    builds=yes
    if [[ $dry_run == yes ]]; then
        printf '%s\n' 'Scripts/setup.sh --build' Scripts/release.sh
    else
        build
    fi
fi
if [[ $dry_run == no || -n $built ]]; then
    for program in "${programs[@]}"; do
        [[ -f $built/$program && -x $built/$program ]] || fail "$built has no program $program"
    done
    [[ -f $built/libkeychain-pkcs11.so ]] ||
        printf 'install: the PKCS #11 library is left out: run Scripts/pkcs11-library.sh, and this again\n' >&2
fi
built=${built:-.build/release}
temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
find_module
write_manual
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
    # The bus reads the rules for the daemon's account. Without a bus, nobody can flood it.
    run systemctl reload dbus.service || true
    run systemctl try-restart keychain-witness.service keychaind.service
fi
[[ $dry_run == no ]] || exit 0
printf 'install: the programs are in %s, the policies in %s\n' "$bin" "$policies"
if systemd_runs; then
    printf 'install: start the daemon with: systemctl enable --now %s\n' \
        'keychain-witness.socket keychaind.socket'
    printf 'install: show prompts in graphical sessions with: systemctl --global enable %s\n' \
        keychain-agent.service
    printf 'install: serve SSH keys, as each user: systemctl --user enable --now %s\n' \
        keychain-ssh-agent.socket
    printf 'install: serve libsecret and browsers, as each user: see %s\n' \
        Documentation/Doors.md
else
    by_hand
fi
if [[ -n $module ]]; then
    printf 'install: to unlock at login, run: pam-auth-update --enable keychain\n'
fi
printf 'install: then move your keychain into it with: keychainctl daemon adopt\n'
