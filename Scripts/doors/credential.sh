#!/usr/bin/env bash
# Has a real systemd load credentials from `keychainctl serve-credential`, by the units that
# Documentation/Tools.md shows. It boots a container on a copy-on-write view of this machine's root, as
# Scripts/try-installed.sh does, so this machine stays as it is. Needs root and systemd-nspawn.
#
# Usage: Scripts/doors/credential.sh [--bin DIRECTORY]
set -euo pipefail
cd "$(dirname "$0")/../.."

bin=.build/debug
[[ ${1:-} != --bin ]] || bin=$2
bin=$(realpath "$bin")
skip() { printf 'systemd  skipped  %s\n' "$1"; exit 0; }
[[ $(id -u) -eq 0 ]] || skip 'this needs root'
command -v systemd-nspawn >/dev/null || skip 'systemd-nspawn is not installed'
if [[ ${INSIDE_MOUNTS:-} != yes ]]; then
    exec env INSIDE_MOUNTS=yes unshare --mount "$PWD/Scripts/doors/credential.sh" --bin "$bin"
fi

place=$(mktemp -d)
trap 'umount --recursive --lazy "$place"; rmdir "$place"' EXIT
mount -t tmpfs none "$place"
mkdir "$place"/{upper,work,root}
mount -t overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" none "$place/root"
root=$place/root
units=$root/etc/systemd/system
install -m 755 "$bin/keychainctl" "$root/usr/local/bin/keychainctl"
rm -rf "$root/root/.local/share/keychain"

# unit NAME: the lines of the page's block that begins with the unit's path.
unit() {
    awk -v first="# /etc/systemd/system/$1" '
        $0 == first { inside = 1; next } /^```/ { inside = 0 } inside
    ' Documentation/Tools.md >"$units/$1"
    [[ -s $units/$1 ]]
}
unit keychain-credential.socket
unit keychain-credential@.service
for name in shop other; do
    cat >"$units/$name.service" <<END2
[Service]
Type=oneshot
$(grep '^LoadCredential=' Documentation/Tools.md)
ExecStart=/bin/sh -c 'base64 -w 0 "\$CREDENTIALS_DIRECTORY/db-password" >/$name.got'
END2
done
cat >"$root/trial.sh" <<'END2'
#!/usr/bin/env bash
add() { HOME=/root keychainctl add-generic-password -s shop.service -a db-password --accessible AfterFirstUnlock -U; }
systemctl --quiet enable --now keychain-credential.socket
printf 'two\nlines\0 and a zero\n\n' | add 2>/dev/null
systemctl start shop.service
expected=$(printf 'two\nlines\0 and a zero\n' | base64 -w 0)
[[ $(cat /shop.got) == "$expected" ]] || echo 'the unit got something else'
! systemctl start other.service 2>/dev/null || echo 'another unit started'
[[ $(systemctl show -P ExecMainStatus other.service) == 243 ]] || echo 'another unit failed otherwise'
[[ ! -e /other.got ]] || echo 'another unit ran'
journalctl -t keychainctl -o cat | grep -q 'errSecItemNotFound (-25300)' || echo 'the journal has no reason'
rm /shop.got
chmod 755 /root/.local/share/keychain
! systemctl start shop.service 2>/dev/null || echo 'the unit started without its password'
[[ ! -e /shop.got ]] || echo 'the unit ran without its password'
echo end
END2
chmod +x "$root/trial.sh"
cat >"$units/trial.service" <<'END2'
[Unit]
After=dbus.service
[Service]
Type=oneshot
ExecStart=/trial.sh
ExecStopPost=/bin/systemctl --no-block poweroff
StandardOutput=file:/trial.log
StandardError=inherit
TimeoutStartSec=60
END2
mkdir -p "$units/multi-user.target.wants"
ln -sf ../trial.service "$units/multi-user.target.wants/trial.service"
timeout 120 systemd-nspawn --quiet --system-call-filter=@memlock --directory "$root" --register=no \
    --keep-unit --boot >"$place/boot.log" 2>&1 </dev/null || true
words="$(systemctl --version | sed -n '1s/.*(\(.*\)).*/\1/p'): a unit gets its credential from a socket, or does not start"
if [[ $(tail -n 1 "$root/trial.log" 2>/dev/null) == end && $(wc -l <"$root/trial.log") == 1 ]]; then
    printf 'systemd  ok       %s\n' "$words"
else
    printf 'systemd  FAILED   %s\n' "$words"
    cat "$root/trial.log" 2>/dev/null || tail -n 30 "$place/boot.log"
    exit 1
fi
