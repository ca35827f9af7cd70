#!/usr/bin/env bash
# Scripts/try-sync.sh [BIN]: installs the programs of BIN (default .build/debug) in a copy-on-write view
# of this machine, starts the daemon there by hand, and has two accounts synchronize with it; then one
# account with a daemon of its own. One line for each step. Needs root. This machine stays as it is.
# Scripts/try-installed.sh tries the same with systemd.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'try-sync: %s\n' "$@" >&2
    exit 1
}

[[ $(id -u) -eq 0 ]] || fail "this needs root"
built=$(realpath "${1:-.build/debug}")
[[ -x $built/keychaind ]] || fail "$built has no keychaind: run swift build"
[[ $built/ != /tmp/* && $built/ != /run/* ]] || fail "the trial cannot see $built: use a directory outside /tmp and /run"
if [[ ${INSIDE_MOUNTS:-} != yes ]]; then
    exec env INSIDE_MOUNTS=yes unshare --mount --pid --fork --kill-child --mount-proc "$PWD/Scripts/try-sync.sh" "$built"
fi

# The directories that an installation and accounts change.
place=$(mktemp -d)
mount -t tmpfs -o mode=755 none "$place"
for directory in /usr /etc /var /home; do
    mkdir -p "$place$directory"/{upper,work}
    mount -t overlay -o "lowerdir=$directory,upperdir=$place$directory/upper,workdir=$place$directory/work" \
        none "$directory"
done
mount -t tmpfs -o mode=755 none /run
mount -t tmpfs -o mode=1777 none /tmp

failures=0
as() {
    runuser -u "$1" -- env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$(getent passwd "$1" | cut -d: -f6)" \
        ${runtime:+XDG_RUNTIME_DIR=$runtime} "${@:2}"
}
step() {
    local expected=$1 title=$2 status=0
    shift 2
    "$@" >/tmp/trial.out 2>&1 </dev/null || status=$?
    if [[ $status -eq $expected ]]; then
        printf '  ok      %s\n' "$title"
    else
        printf '  FAILED  %s: status %s, expected %s\n' "$title" "$status" "$expected"
        sed 's/^/          /' /tmp/trial.out
        failures=$((failures + 1))
    fi
}
# All of it is read first: a program whose reader ends early fails.
says() { "${@:2}" >/tmp/trial.said; grep -qF -- "$1" /tmp/trial.said || { cat /tmp/trial.said; return 1; }; }
runtime=
set +e
step 0 'install' Scripts/install.sh --bin "$built" /usr/local
[[ $failures -eq 0 ]] || exit 1

# As Scripts/install.sh says where systemd does not run.
install -d -m 0755 -o keychain -g keychain /run/keychain
/usr/local/bin/keychain-witness --socket /run/keychain/witness 2>/tmp/witness.log &
start_daemon() {
    setpriv --reuid keychain --regid keychain --clear-groups --inh-caps=-all --bounding-set=-all \
        --no-new-privs /usr/local/bin/keychaind --system --foreground >>/tmp/daemon.log 2>&1 &
    for _ in $(seq 100); do
        ! as nobody keychainctl status >/dev/null 2>&1 || return 0
        sleep 0.1
    done
    cat /tmp/daemon.log
    return 1
}
kill_daemon() {
    pkill -9 -u keychain -x keychaind && start_daemon
}
step 0 'start the daemon' start_daemon
source Scripts/trial/synchronization.sh
sync_directory
sync_postgresql
sync_end

# A daemon of the account itself, where the machine has none.
pkill -9 -u keychain -x keychaind
rm -f /run/keychain/socket
useradd -m erin
own=$(sync_home erin)
runtime=/run/user/$(id -u erin)
install -d -m 700 -o erin "$runtime"
as erin keychaind --user --foreground --policy /usr/share/keychain/user-programs.d >/tmp/own.log 2>&1 &
for _ in $(seq 100); do [[ ! -S $runtime/keychaind.sock ]] || break; sleep 0.1; done
step 0 'the own daemon answers' says "keychaind.sock" as erin keychainctl status
step 0 'add an item' sync_add erin first one
step 0 'create a circle' as erin keychainctl sync create --no-recovery --relay "$own"/relay --name own
step 0 'exchange' says 'sent' as erin keychainctl sync once
step 0 'see it' says 'in step' as erin keychainctl sync status
install -o erin /usr/local/bin/keychain-sync "$own"/keychain-sync
step 30 'a copy of keychain-sync gets nothing' as erin "$own"/keychain-sync once
step 0 'a recovery key' as erin keychainctl sync recovery
step 0 'leave' as erin keychainctl sync leave
printf '%s steps failed\n' "$failures"
[[ $failures -eq 0 ]]
