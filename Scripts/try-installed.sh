#!/usr/bin/env bash
# Scripts/try-installed.sh [BIN]: installs the programs of BIN (default .build/debug) in a container that
# boots systemd on a copy-on-write view of this machine's root, and tries the units there. Needs root
# and systemd-nspawn (Debian: systemd-container). This machine stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'try-installed: %s\n' "$@" >&2
    exit 1
}

[[ $(id -u) -eq 0 ]] || fail "this needs root"
command -v systemd-nspawn >/dev/null || fail "systemd-nspawn is missing: install systemd-container"
built=$(realpath "${1:-.build/debug}")
[[ -x $built/keychaind ]] || fail "$built has no keychaind: run swift build"

if [[ ${INSIDE_MOUNTS:-} != yes ]]; then
    exec env INSIDE_MOUNTS=yes unshare --mount "$PWD/Scripts/try-installed.sh" "$built"
fi

place=$(mktemp -d)
trap 'umount --recursive --lazy "$place"; rmdir "$place"' EXIT
mount -t tmpfs none "$place"
mkdir "$place"/{upper,work,root}
mount -t overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" none "$place/root"

# What runs in the container, by systemd; its last line is the verdict.
cat >"$place/root/trial.sh" <<END
#!/usr/bin/env bash
set -u
cd '$PWD'
failures=0
as() { runuser -u "\$1" -- env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="\$(getent passwd "\$1" | cut -d: -f6)" "\${@:2}"; }
step() {
    local expected=\$1 title=\$2 status=0
    shift 2
    "\$@" >/trial.out 2>&1 || status=\$?
    if [[ \$status -eq \$expected ]]; then
        printf '  ok      %s\n' "\$title"
    else
        printf '  FAILED  %s: status %s, expected %s\n' "\$title" "\$status" "\$expected"
        sed 's/^/          /' /trial.out
        failures=\$((failures + 1))
    fi
}
add() { printf s3cret | as "\$1" keychainctl add-generic-password -s trial -a "\$1"; }
find() { as "\$1" keychainctl find-generic-password -s trial -a ada -w; }
passcode() { printf 'six-words-for-a-trial-here\n' | as ada keychainctl "\$@"; }
step 0 'install' Scripts/install.sh --bin '$built' /usr/local
useradd -m ada
useradd -m bob
step 0 'start the sockets' systemctl enable --now keychain-witness.socket keychaind.socket
step 0 'add an item through the daemon' add ada
step 0 'find it' find ada
step 44 'another account does not find it' find bob
step 2 'the account cannot read the files' as ada ls /var/lib/keychain
step 0 'the daemon runs as its account' pgrep -u keychain keychaind
step 0 'set a passcode' passcode passcode set
step 0 'lock' as ada keychainctl lock-keychain
step 36 'find it: refused while locked' find ada
step 0 'unlock' passcode unlock-keychain
step 0 'find it' find ada
step 0 'restart the daemon' systemctl restart keychaind.service
step 0 'status answers' as ada keychainctl status
step 0 'stop' systemctl stop keychaind.socket keychaind.service
step 0 'uninstall' Scripts/uninstall.sh /usr/local
step 0 'the keychain is still there' test -f "/var/lib/keychain/\$(id -u ada)/keychain.db"
printf '%s steps failed\n' "\$failures"
END
chmod +x "$place/root/trial.sh"
cat >"$place/root/etc/systemd/system/trial.service" <<'END'
[Unit]
After=dbus.service systemd-logind.service
[Service]
Type=oneshot
ExecStart=/trial.sh
ExecStopPost=/bin/systemctl --no-block poweroff
StandardOutput=file:/trial.log
StandardError=inherit
TimeoutStartSec=300
END
wants=$place/root/etc/systemd/system/multi-user.target.wants
mkdir -p "$wants"
ln -sf ../trial.service "$wants/trial.service"
timeout 400 systemd-nspawn --quiet --directory "$place/root" --register=no --keep-unit --boot \
    >"$place/boot.log" 2>&1 </dev/null || true
if [[ ! -s $place/root/trial.log ]]; then
    tail -n 30 "$place/boot.log"
    fail "the container did not run the trial"
fi
cat "$place/root/trial.log"
[[ $(tail -n 1 "$place/root/trial.log") == '0 steps failed' ]]
