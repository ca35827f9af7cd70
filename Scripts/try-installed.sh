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
# The container has directories of its own there.
[[ $built/ != /tmp/* && $built/ != /run/* ]] || fail "the container cannot see $built: use a directory outside /tmp and /run"

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
passcode() { printf 'six-words-for-a-trial-here\n' | as ada "\$@"; }
says() { "\${@:2}" >/trial.said; grep -qF -- "\$1" /trial.said || { cat /trial.said; return 1; }; }
refused() { find ada 2>&1 || true; }
state() { says "state            \$1" as ada keychainctl status; }
store='/var/lib/keychain'
step 0 'install' Scripts/install.sh --bin '$built' /usr/local
[[ \$failures -eq 0 ]] || exit 1
useradd -m ada
useradd -m bob
home=\$(getent passwd ada | cut -d: -f6)
step 0 'add an item without the daemon' add ada
step 0 'start the sockets' systemctl enable --now keychain-witness.socket keychaind.socket
step 0 'move the keychain into the daemon' says '1 item moved' as ada keychainctl daemon adopt
step 0 'the command is verified' says 'this program     verified' as ada keychainctl status
step 0 'memory is locked' says 'locked, never swapped' as ada keychainctl status
step 0 'find the item' says s3cret find ada
step 44 'another account does not find it' find bob
step 2 'the account cannot read the files' as ada ls "\$store"
install -o ada '$built/keychainctl' "\$home/stealer"
step 30 'a program of the account gets nothing' as ada "\$home/stealer" find-generic-password -s trial -w
step 0 'the log says so' says "\$home/stealer (nobody)" as ada keychainctl log --denied
step 0 'the log is as it was written' as ada keychainctl log --verify
step 0 'the daemon runs as its account' pgrep -u keychain keychaind
step 0 'set a passcode' passcode keychainctl passcode set
step 0 'share a group' passcode keychainctl access grant keychain /usr/bin/curl
step 0 'see it' says '/usr/bin/curl' as ada keychainctl access list
step 0 'take it back' passcode keychainctl access revoke keychain /usr/bin/curl
step 0 'a session begins' systemd-run --quiet --unit=session-of-ada -p User=ada -p PAMName=login \\
    -p 'Environment=XDG_SESSION_CLASS=user XDG_SESSION_TYPE=tty' sleep 600
until loginctl list-sessions --no-legend | grep -q ada; do sleep 0.2; done
session=\$(loginctl list-sessions --no-legend | awk '/ada/ {print \$1; exit}')

# The doors, in the session: D-Bus and systemd start them.
place=/run/user/\$(id -u ada)
desk() { as ada env XDG_RUNTIME_DIR="\$place" DBUS_SESSION_BUS_ADDRESS="unix:path=\$place/bus" SSH_AUTH_SOCK="\$place/keychain-ssh-agent.sock" "\$@"; }
service=/usr/share/keychain/dbus-1/org.freedesktop.secrets.service
until [[ -S \$place/bus ]]; do sleep 0.2; done
step 0 'the session bus finds the door' desk sh -c "mkdir -p ~/.local/share/dbus-1/services && ln -s \$service ~/.local/share/dbus-1/services/"
step 0 'doors says so' says 'keychain-secret-service answers' desk keychainctl doors
step 0 'a program stores a password' desk sh -c 'printf from-tool | secret-tool store --label=Tool service tool user ada'
step 0 'it finds it' says from-tool desk secret-tool lookup service tool user ada
step 0 'systemd runs the door' desk systemctl --user is-active keychain-secret-service.service
step 1 'items of the command stay closed' desk secret-tool lookup service trial account ada
step 0 'serve SSH keys' desk systemctl --user enable --now keychain-ssh-agent.socket
step 0 'make a key' desk keychainctl ssh generate -C key-of-ada
step 0 'ssh-add lists it' says key-of-ada desk ssh-add -l
step 0 'doors names the agent' says 'keychain-ssh-agent' desk keychainctl doors
step 0 'p11-kit loads the module' says 'Keychain' desk p11tool --list-tokens
step 0 'lock the session' loginctl lock-session "\$session"
until says 'state            locked' as ada keychainctl status >/dev/null; do sleep 0.2; done
step 36 'find it: refused while locked' find ada
step 1 'the agent offers no key' desk ssh-add -l
step 1 'nor does the Secret Service give anything' desk timeout 20 secret-tool lookup service tool user ada
step 0 'unlock' passcode keychainctl unlock-keychain
step 0 'the last session ends' systemctl stop session-of-ada
until says 'state            locked' as ada keychainctl status >/dev/null; do sleep 0.2; done
step 0 'unlock again' passcode keychainctl unlock-keychain
step 0 'restart the daemon' systemctl restart keychaind.service
step 0 'what was unlocked is open' state unlocked
step 0 'reload the policies' systemctl reload keychaind.service
step 0 'kill the daemon' systemctl kill --signal=KILL keychaind.service
step 0 'the item is still there' says ada as ada keychainctl dump-keychain
step 0 'stop' systemctl stop keychaind.socket keychaind.service
mkdir -p /etc/systemd/system/keychaind.service.d
printf six-words-for-a-trial-here >/root/passcode
printf '[Service]\nLoadCredential=keychain.%s:/root/passcode\n' "\$(id -u ada)" \
    >/etc/systemd/system/keychaind.service.d/passcode.conf
systemctl daemon-reload
step 0 'start with a credential' systemctl start keychaind.socket
step 0 'it unlocks' says s3cret find ada
kill_daemon() { systemctl kill --signal=KILL keychaind.service; sleep 1; as carol keychainctl status; }
source Scripts/trial/synchronization.sh
sync_directory
sync_postgresql
carol() { as carol env XDG_RUNTIME_DIR="/run/user/\$(id -u carol)" "\$@"; }
if [[ -n \$sync_relay ]]; then
    step 0 'the user manager of an account runs' loginctl enable-linger carol
    until [[ -S /run/user/\$(id -u carol)/systemd/private ]]; do sleep 0.2; done
    step 0 'start the unit' carol systemctl --user enable --now keychain-sync.service
    sync_add dave unit five
    step 0 'the other account tells a change' as dave keychainctl sync once
    step 0 'the unit sees it' until_found carol unit five
    step 0 'it is active' carol systemctl --user is-active keychain-sync.service
    step 0 'stop it' carol systemctl --user disable --now keychain-sync.service
fi
sync_end
step 0 'move the keychain out of the daemon' passcode keychainctl daemon release
step 0 'unlock it there' passcode env KEYCHAIN_SOCKET= keychainctl unlock-keychain
step 0 'it is in the account again' says ada as ada env KEYCHAIN_SOCKET= keychainctl dump-keychain
step 0 'and in the daemon again' says 'moved into the daemon' passcode keychainctl daemon adopt
step 0 'stop' systemctl stop keychaind.socket keychaind.service
step 0 'the socket file stays' test -S /run/keychain/socket
step 0 'nobody answers' says '(-25291)' refused
step 1 'uninstall: refused while the daemon keeps keychains' Scripts/uninstall.sh /usr/local
step 0 'uninstall' Scripts/uninstall.sh --force /usr/local
step 2 'the sockets are gone' ls /run/keychain
step 0 'the keychain is still there' test -f "\$store/\$(id -u ada)/keychain.db"
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
TimeoutStartSec=600
END
wants=$place/root/etc/systemd/system/multi-user.target.wants
mkdir -p "$wants"
ln -sf ../trial.service "$wants/trial.service"
timeout 700 systemd-nspawn --quiet --system-call-filter=@memlock --directory "$place/root" --register=no --keep-unit --boot \
    >"$place/boot.log" 2>&1 </dev/null || true
if [[ ! -s $place/root/trial.log ]]; then
    tail -n 30 "$place/boot.log"
    fail "the container did not run the trial"
fi
cat "$place/root/trial.log"
[[ $(tail -n 1 "$place/root/trial.log") == '0 steps failed' ]]
