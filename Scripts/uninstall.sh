#!/usr/bin/env bash
# Removes what Scripts/install.sh installed. Run it as root; it touches no keychain.
set -euo pipefail
cd "$(dirname "$0")/.."
source Packaging/places.sh

usage() {
    cat <<'END'
usage: Scripts/uninstall.sh [--dry-run] [PREFIX]

Stops the daemon and removes the programs, units and policies of Scripts/install.sh. Keychains,
your own policies and the accounts stay.

  PREFIX        the prefix of the installation [/usr/local]
  --dry-run     print what would be done
  DESTDIR=DIR   remove the files below DIR

Example: sudo Scripts/uninstall.sh /usr/local
END
}

fail() {
    printf 'uninstall: %s\n' "$@" >&2
    exit 1
}

prefix='' dry_run=no destdir=${DESTDIR:-}
while [[ $# -gt 0 ]]; do
    case $1 in
        --dry-run) dry_run=yes ;;
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

if systemd_runs; then
    for unit in keychaind.socket keychaind.service keychain-witness.socket keychain-witness.service; do
        # A unit that was never enabled has nothing to disable.
        run systemctl disable --now "$unit" || true
    done
fi
# PAM names the module in its configuration, so that goes first.
if [[ -z $destdir && -e $pam_configs/keychain ]] && command -v pam-auth-update >/dev/null; then
    run pam-auth-update --package --remove keychain
fi
for program in "${programs[@]}"; do run rm -f "$destdir$bin/$program"; done
run rm -f "$destdir$(pam_modules)/pam_keychain.so"
while read -r file directory; do
    run rm -f "$destdir$directory/$(basename "$file")"
done < <(files)
for directory in "$policies" "$user_policies" "$(dirname "$policies")"; do
    [[ ! -d $destdir$directory ]] || run rmdir --ignore-fail-on-non-empty "$destdir$directory"
done
[[ $dry_run == no && -z $destdir ]] || exit 0
if systemd_runs; then systemctl daemon-reload; fi

cat <<'END'
uninstall: these stay, because they belong to you:
  /var/lib/keychain         the keychains that the daemon kept, one directory for each account
  ~/.local/share/keychain   the keychain of each account without the daemon
  /etc/keychain             your own policies
  the accounts keychain and keychain-witness, and the group keychain-client
A program that you protected with `keychainctl protect` keeps its set-group-ID bit.
To use a keychain without the daemon, install again and run `keychainctl daemon release`. If you delete
/var/lib/keychain, its secrets are gone for good.
END
