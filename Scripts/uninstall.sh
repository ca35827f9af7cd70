#!/usr/bin/env bash
# Removes what Scripts/install.sh installed. Run it as root; it touches no keychain.
set -euo pipefail
cd "$(dirname "$0")/.."
source Packaging/places.sh

usage() {
    cat <<'END'
usage: Scripts/uninstall.sh [--dry-run] [--force] [PREFIX]

Stops the daemon and removes the programs, units and policies of Scripts/install.sh. Keychains,
your own policies and the accounts stay. While the daemon keeps keychains, nothing is removed
unless you add --force. First run `keychainctl protect --undo` for each program that you protected.

  PREFIX        the prefix of the installation [/usr/local]
  --force       leave the keychains in the daemon's directory, where no program opens them
  --dry-run     print what would be done
  DESTDIR=DIR   remove the files below DIR

Example: sudo Scripts/uninstall.sh /usr/local
END
}

fail() {
    printf 'uninstall: %s\n' "$@" >&2
    exit 1
}

prefix='' dry_run=no force=no destdir=${DESTDIR:-}
while [[ $# -gt 0 ]]; do
    case $1 in
        --dry-run) dry_run=yes ;;
        --force) force=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) printf 'uninstall: unknown option %s\n' "$1" >&2; usage >&2; exit 2 ;;
        *)
            [[ -z $prefix ]] || { usage >&2; exit 2; }
            prefix=$1
            ;;
    esac
    shift
done
prefix=${prefix:-/usr/local}
prefix=${prefix%/}
[[ $prefix == /* ]] || fail "the prefix $prefix is not an absolute path"
[[ -z $destdir || $destdir == /* ]] || fail "DESTDIR is not an absolute path: $destdir"
destdir=${destdir%/}
[[ $dry_run == yes || -n $destdir || $(id -u) -eq 0 ]] ||
    fail "removing the installation needs root: run this with sudo"
set_places "$prefix"
[[ -e $destdir$bin/keychaind ]] ||
    fail "there is no installation in $destdir$prefix; name its prefix"

# Lists the accounts whose keychains the daemon keeps. Directories such as 1000.released-… are no keychains in use.
accounts_with_keychains() {
    local directory account
    for directory in /var/lib/keychain/*/; do
        account=$(basename "$directory")
        [[ $account =~ ^[0-9]+$ ]] || continue
        getent passwd "$account" | cut -d: -f1 | grep . || printf '%s\n' "$account"
    done
}

if [[ -z $destdir && $force == no ]]; then
    kept=$(accounts_with_keychains | paste -sd ' ')
    [[ -z $kept ]] ||
        fail "the daemon keeps the keychains of these accounts: $kept" \
            "each of them moves its keychain out with: keychainctl daemon release" \
            "to leave the keychains in /var/lib/keychain, add --force"
fi
if systemd_runs; then
    for unit in keychaind.socket keychaind.service keychain-witness.socket keychain-witness.service; do
        # A unit that was never enabled has nothing to disable.
        run systemctl disable --now "$unit" || true
    done
    run systemctl --global disable keychain-agent.service keychaind.socket \
        keychain-ssh-agent.socket || true
fi
# While the socket file exists, programs wait for a daemon and use no keychain without it.
[[ -n $destdir ]] || run rm -rf /run/keychain
# PAM names the module in its configuration, so that goes first.
if [[ -z $destdir && -e $pam_configs/keychain ]] && command -v pam-auth-update >/dev/null; then
    run pam-auth-update --package --remove keychain
fi
for program in "${programs[@]}"; do run rm -f "$destdir$bin/$program"; done
run rm -f "$destdir$libraries/libkeychain-pkcs11.so"
run rm -f "$destdir$(pam_modules)/pam_keychain.so"
while read -r file directory; do
    run rm -f "$destdir$directory/$(basename "$file")"
done < <(files)
while read -r file; do run rm -f "$destdir$share/$file"; done < <(shared_files "$destdir$share")
for directory in "$policies" "$user_policies" "$bus_services" "$extension" "$share/keychain" \
    "$(dirname "$policies")" "$pages/Documentation" "$pages"; do
    [[ ! -d $destdir$directory ]] || run rmdir --ignore-fail-on-non-empty "$destdir$directory"
done
[[ $dry_run == no && -z $destdir ]] || exit 0
if systemd_runs; then
    systemctl daemon-reload
    systemctl reload dbus.service || true
fi

cat <<'END'
uninstall: these stay, because they belong to you:
  /var/lib/keychain         the keychains that the daemon kept, one directory for each account
  ~/.local/share/keychain   the keychain of each account that uses no daemon
  /etc/keychain             your own policies
  the accounts keychain and keychain-witness, and the group keychain-client
END
if [[ $force == yes ]]; then
    cat <<'END'
To use a keychain of /var/lib/keychain again, install again and run `keychainctl daemon release`.
END
fi
cat <<'END'
If you delete /var/lib/keychain, its secrets are gone for good.
User daemons and agents that run now, and their sockets, go when their sessions end.
A program that you protected with `keychainctl protect` keeps its set-group-ID bit.
END
if [[ -z $destdir ]] && command -v dpkg-statoverride >/dev/null; then
    # It fails if there is none.
    overridden=$({ dpkg-statoverride --list || true; } | awk '$2 == "keychain-client" {print $4}')
    for program in $overridden; do
        printf 'dpkg protects %s again at each update. Undo it with:\n  %s\n' "$program" \
            "dpkg-statoverride --remove $program && chgrp root $program && chmod g-s $program"
    done
fi
