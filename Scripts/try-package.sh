#!/usr/bin/env bash
# Scripts/try-package.sh DIR [ROOT.tar]: installs, uses, upgrades, removes and purges the Debian
# packages of DIR (Scripts/package.sh makes them) in a clean root of Debian packages, then with systemd
# booted in it. One line for each step. ROOT.tar keeps the clean root for the next time. Needs root,
# systemd-nspawn and mmdebstrap (Debian: systemd-container, mmdebstrap). This machine stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'try-package: %s\n' "$@" >&2
    exit 1
}

[[ $# -ge 1 && $1 != -* ]] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
[[ $(id -u) -eq 0 ]] || fail "this needs root"
for tool in systemd-nspawn mmdebstrap dpkg-deb; do
    command -v "$tool" >/dev/null || fail "$tool is missing: install systemd-container, mmdebstrap and dpkg"
done
packages=$(realpath "$1")
deb=$(compgen -G "$packages/swift-keychain_*.deb") || fail "$packages has no package: run Scripts/package.sh"
suite=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")

if [[ ${INSIDE_MOUNTS:-} != yes ]]; then
    tar=${2:-}
    [[ -z $tar ]] || tar=$(realpath -m "$tar")
    exec env INSIDE_MOUNTS=yes unshare --mount "$PWD/Scripts/try-package.sh" "$packages" "$tar"
fi

# No program of another package has the name of one of ours, or of the alternative.
names=$(dpkg-deb --fsys-tarfile "$deb" | tar -t | sed -n 's|^\./usr/bin/\(..*\)|\1|p' | paste -sd '|')
if ! apt-file list apt >/dev/null 2>&1; then
    printf '  not run no other package has these programs: install apt-file and run apt-file update\n'
elif others=$(apt-file search --regexp "^/(usr/)?s?bin/($names|security)\$" | grep -v '^swift-keychain'); then
    fail "other packages have programs of these names:" "$others"
else
    printf '  ok      no other package has programs of these names, nor one called security\n'
fi

place=$(mktemp -d)
trap 'umount --recursive --lazy "$place"; rmdir "$place"' EXIT
mount -t tmpfs -o mode=755 none "$place"
tar=${2:-$place/root.tar}
[[ -n $tar ]] || tar=$place/root.tar
if [[ ! -f $tar ]]; then
    tools=systemd,systemd-sysv,dbus,libpam-systemd,man-db,zsh,fish,bash-completion,expect,procps
    mmdebstrap --quiet --variant=minbase --include="$tools" "$suite" "$tar"
fi
root=$place/root
mkdir "$root"
tar -x --same-owner --numeric-owner -f "$tar" -C "$root"
mkdir "$root/packages"
cp "$packages"/*.deb Scripts/completions.exp Scripts/try-served.sh "$root/packages/"
rm -f "$root/etc/resolv.conf"
cp /etc/resolv.conf "$root/etc/resolv.conf"

# The same package with a higher version, for the upgrade. Its own scripts are those of the first.
dpkg-deb --raw-extract "$deb" "$place/next"
sed -i 's/^Version: .*/&+next/' "$place/next/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$place/next" "$root/packages/next.deb" >/dev/null
rm -rf "$place/next"

# What both parts begin with.
cat >"$root/steps.sh" <<'END'
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
failures=0
step() {
    local expected=$1 title=$2 status=0
    shift 2
    "$@" >/trial.out 2>&1 || status=$?
    if [[ $status -eq $expected ]]; then
        printf '  ok      %s\n' "$title"
    else
        printf '  FAILED  %s: status %s, expected %s\n' "$title" "$status" "$expected"
        sed 's/^/          /' /trial.out
        failures=$((failures + 1))
    fi
}
says() { "${@:2}" >/trial.said 2>&1; grep -qF -- "$1" /trial.said || { cat /trial.said; return 1; }; }
install_package() { apt-get -qq -y install --no-install-recommends /packages/swift-keychain_*.deb; }
# What an administrator would call left behind: everything but logs, caches and dpkg's own records.
state() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/log \
        -o -path /var/cache -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /packages \
        -o -path /home -o -path /root -o -path /var/lib/systemd -o -path '/trial*' -o -name '*.cache' \
        -o -name '*-' -path '/etc/*' \) -prune -o -printf '%y %m %U %G %p\n' | sort
    cat /etc/passwd /etc/group /var/lib/dpkg/statoverride
}
END
cat >"$root/first.sh" <<'END'
#!/usr/bin/env bash
source /steps.sh
apt-get -qq update
# What the package needs stays when it goes: it is not what is looked for.
depends=$(dpkg-deb -f /packages/swift-keychain_*.deb Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g')
step 0 'install what it depends on' apt-get -qq -y install --no-install-recommends $depends
state >/trial.before
step 0 'install' install_package
step 0 'all files are those of the package' sh -c '! dpkg --verify swift-keychain | grep .'
step 0 'it protects its command' says '2755 root keychain-client' stat -c '%a %U %G' /usr/bin/keychainctl
step 0 'man keychainctl' says 'keep passwords, keys and certificates' man keychainctl
step 0 'a page for a command' says '--accessible' man keychainctl-add-generic-password
step 0 'a page for the daemon' says 'serves keychains over a socket' man 8 keychaind
for shell in bash zsh; do step 0 "$shell completes" expect -f /packages/completions.exp "$shell"; done
step 0 'fish completes' says find-generic-password fish -c 'complete -C "keychainctl find-g"'
step 0 'store a password' sh -c 'printf s3cret | keychainctl add-generic-password -s trial -a ada'
step 0 'find it' says s3cret keychainctl find-generic-password -s trial -a ada -w
step 0 'git finds its helper' says s3cret sh -c 'printf s3cret | keychainctl add-internet-password -s example.org -a ada -r htps &&
    printf "protocol=https\nhost=example.org\n\n" | git-credential-keychain get'
step 0 'security, if an administrator wants it' sh -c 'update-alternatives --install /usr/bin/security security /usr/bin/keychainctl 10 &&
    security find-generic-password -s trial -w'
step 0 'programs run on a simulated device' /packages/try-served.sh
step 0 'purge' apt-get -qq -y purge swift-keychain
step 0 'the keychain of the account stays' test -f /root/.local/share/keychain/keychain.db
rm -rf /root/.local
state >/trial.after
step 0 'nothing else is left' diff /trial.before /trial.after
printf '%s\n' "$failures" >/trial.failures
END
cat >"$root/second.sh" <<'END'
#!/usr/bin/env bash
source /steps.sh
as() { runuser -u "$1" -- env -i PATH=/usr/bin:/bin HOME="$(getent passwd "$1" | cut -d: -f6)" "${@:2}"; }
find() { as "$1" keychainctl find-generic-password -s trial -a ada -w; }
passcode() { printf 'six-words-for-a-trial-here\n' | as ada "$@"; }
useradd -m ada
useradd -m bob
step 0 'install with systemd running' install_package
step 3 'the daemon waits for an administrator' systemctl is-active keychaind.socket
step 0 'store without the daemon' sh -c 'printf s3cret | runuser -u ada -- keychainctl add-generic-password -s trial -a ada'
step 0 'enable the sockets' systemctl enable --now keychain-witness.socket keychaind.socket
step 3 'no daemon runs yet' systemctl is-active keychaind.service
step 0 'move the keychain into the daemon' says '1 item moved' as ada keychainctl daemon adopt
step 0 'the socket started the daemon' systemctl is-active keychaind.service
step 0 'the command is verified' says 'this program     verified' as ada keychainctl status
step 0 'find the item' says s3cret find ada
step 44 'another account does not find it' find bob
step 0 'set a passcode' passcode keychainctl passcode set
before=$(systemctl show -P MainPID keychaind.service)
step 0 'upgrade' dpkg --install /packages/next.deb
step 0 'the new version is there' says '+next' dpkg-query -W swift-keychain
step 1 'another daemon runs' test "$before" = "$(systemctl show -P MainPID keychaind.service)"
step 0 'the item is still there, and unlocked' says s3cret find ada
step 0 'the command is still protected' says '2755 root keychain-client' stat -c '%a %U %G' /usr/bin/keychainctl
step 0 'remove' apt-get -qq -y remove swift-keychain
step 1 'the programs are gone' sh -c 'ls /usr/bin | grep keychain'
step 1 'and the units' sh -c 'systemctl list-unit-files | grep keychain'
step 2 'and the socket' ls /run/keychain
step 0 'install again' install_package
step 0 'enable it again' systemctl enable --now keychain-witness.socket keychaind.socket
step 0 'unlock' passcode keychainctl unlock-keychain
step 0 'the item is still there' says s3cret find ada
# As in a container: no program is to be started by a package, or stopped.
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod +x /usr/sbin/policy-rc.d
step 0 'the daemon runs' pgrep -u keychain
step 0 'purge' apt-get -qq -y purge swift-keychain
step 1 'nothing is left of the package' dpkg-query --show swift-keychain
step 1 'no daemon is left' pgrep -u keychain
rm /usr/sbin/policy-rc.d
step 0 'the keychain stays' test -f "/var/lib/keychain/$(id -u ada)/keychain.db"
step 0 'and the account that owns it' says keychain stat -c %U /var/lib/keychain
step 2 'the witness has no account' getent passwd keychain-witness
step 1 'no file but keychains' sh -c 'find / -xdev -name "*keychain*" -not -path "/proc/*" -not -path "/var/lib/keychain*" \
    -not -path "/packages/*" -not -path "/home*" -not -path "/var/cache/*" -not -path "/var/log/*" | grep .'
printf '%s steps failed\n' $((failures + $(cat /trial.failures)))
END
chmod +x "$root"/{first,second}.sh
systemd-nspawn --quiet --pipe --directory "$root" --register=no --keep-unit --bind-ro=/etc/resolv.conf \
    /first.sh 2>"$place/first.log" || { cat "$place/first.log"; fail "the first part did not end"; }

cat >"$root/etc/systemd/system/trial.service" <<'END'
[Unit]
After=dbus.service systemd-logind.service
[Service]
Type=oneshot
ExecStart=/second.sh
ExecStopPost=/bin/systemctl --no-block poweroff
StandardOutput=file:/trial.log
StandardError=inherit
TimeoutStartSec=900
END
wants=$root/etc/systemd/system/multi-user.target.wants
mkdir -p "$wants"
ln -sf ../trial.service "$wants/trial.service"
timeout 1000 systemd-nspawn --quiet --system-call-filter=@memlock --directory "$root" --register=no --keep-unit \
    --boot >"$place/boot.log" 2>&1 </dev/null || true
if [[ ! -s $root/trial.log ]]; then
    tail -n 30 "$place/boot.log"
    fail "the container did not run the trial"
fi
cat "$root/trial.log"
[[ $(tail -n 1 "$root/trial.log") == '0 steps failed' ]]
