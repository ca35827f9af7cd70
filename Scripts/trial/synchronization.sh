# Steps of two accounts that synchronize with the machine's daemon: through a directory that is
# copied, and through a PostgreSQL. Scripts/try-installed.sh and Scripts/try-sync.sh read this, in a
# view of the machine that has the programs in /usr/local/bin and a running daemon. They define
# `step`, `says`, `as`, and `kill_daemon`, which kills the daemon and has it run again.
# shellcheck shell=bash disable=SC2154

sync_passcode=six-words-for-a-trial-here
sync_relay=
sync_work=$(mktemp -d)
chmod 755 "$sync_work"
# proving ACCOUNT ARGUMENTS…: `keychainctl` as an account that knows its passcode.
proving() { printf '%s\n' "$sync_passcode" | as "$1" keychainctl "${@:2}"; }
guessing() { printf 'wrong\n' | as "$1" keychainctl "${@:2}"; }
sync_home() { getent passwd "$1" | cut -d: -f6; }
sync_fact() { as "$1" keychainctl sync status --json | sed -n "s/.*\"$2\": \"\\(.*\\)\".*/\\1/p" | head -n 1; }
sync_add() { printf '%s' "$3" | as "$1" keychainctl add-generic-password -U -s shared -a "$2" --synchronizable; }
sync_find() { as "$1" keychainctl find-generic-password -s shared -a "$2" -w --synchronizable; }
# carry: what Syncthing does, between the directories of the two accounts.
carry() {
    local one two
    one=$(sync_home carol)/relay two=$(sync_home dave)/relay
    mkdir -p "$one" "$two"
    cp -rn "$one/." "$two/" && chown -R dave: "$two" && cp -rn "$two/." "$one/" && chown -R carol: "$one"
}
# exchange ACCOUNT…: each one once, with what the others wrote.
exchange() {
    local account
    for account in "$@"; do
        carry && as "$account" keychainctl sync once && carry || return 1
    done
}
# until_says TEXT FILE: waits, at most a minute.
until_says() {
    for _ in $(seq 600); do
        ! grep -qF -- "$1" "$2" || return 0
        sleep 0.1
    done
    cat "$2"
    return 1
}
# until_found ACCOUNT NAME VALUE: waits, at most a minute.
until_found() {
    for _ in $(seq 300); do
        [[ $(sync_find "$1" "$2" 2>/dev/null) != "$3" ]] || return 0
        sleep 0.2
    done
    return 1
}
# process ACCOUNT NAME: the number of a program that is running.
process() { pgrep -u "$1" -x "$2" | head -n 1; }
maps() { grep -q "$1" "/proc/$2/maps"; }
lacks() { ! maps "$@"; }
own_group_only() { ! grep '^Gid:' "/proc/$1/status" | grep -qw "$(getent group keychain-client | cut -d: -f3)"; }

# sync_join RELAY: the second account joins the circle of the first.
sync_join() {
    local code print
    code=$(sync_fact carol circle)
    step 0 'the other account asks to join' proving dave sync join "$code" --relay "$1" --name laptop
    carry
    print=$(sync_fact dave fingerprint)
    step 206 'nobody approves it without the passcode' as carol keychainctl sync approve "$print"
    step 0 'it is approved with the passcode' proving carol sync approve "$print"
    step 0 'and is in the circle' exchange dave carol dave
    step 0 'both show the same chain' same_chain
}

same_chain() { [[ -n $(sync_fact carol head) && $(sync_fact carol head) == "$(sync_fact dave head)" ]]; }

sync_refusals() {
    local home copy=/usr/local/bin/keychain-sync-copy
    home=$(sync_home carol)
    install -o carol /usr/local/bin/keychain-sync "$home/keychain-sync"
    step 30 'a copy of keychain-sync gets nothing' as carol "$home/keychain-sync" once
    install /usr/local/bin/keychain-sync "$copy"
    step 30 'nor does a copy that root owns' as carol "$copy" once
    rm "$copy"
    install -o carol "$(ldd /usr/local/bin/keychain-sync | awk '/libm.so/ {print $3}')" "$home/inject.so"
    step 30 'nor keychain-sync itself with foreign code' as carol setpriv --no-new-privs \
        env LD_PRELOAD="$home/inject.so" /usr/local/bin/keychain-sync once
    step 0 'the loader ignores foreign code otherwise' exchange_injected "$home/inject.so"
    step 0 'the log says who was refused' says "$home/keychain-sync (nobody)" as carol keychainctl log --denied
    step 0 'and who was not' says 'sync-read' as carol keychainctl log --program keychain-sync
}
exchange_injected() { as carol env LD_PRELOAD="$1" /usr/local/bin/keychain-sync once; }

sync_directory() {
    useradd -m carol
    useradd -m dave
    for account in carol dave; do
        step 0 "$account has a passcode" proving "$account" passcode set
    done
    step 0 'add an item' sync_add carol first one
    step 206 'no circle without a passcode' as carol keychainctl sync create --no-recovery --relay "$(sync_home carol)/relay"
    step 51 'nor with a wrong one' guessing carol sync create --no-recovery --relay "$(sync_home carol)/relay"
    step 0 'a circle with it' says 'circle' proving carol sync create --no-recovery --relay "$(sync_home carol)/relay" --name desk
    sync_join "$(sync_home dave)/relay"
    step 0 'the item is there' says one sync_find dave first
    sync_add dave first two
    step 0 'exchange a change' exchange dave carol
    step 0 'the change is there' says two sync_find carol first
    step 0 'see the devices' says laptop as carol keychainctl sync status
    step 0 'off' as carol keychainctl sync off
    step 0 'on' as carol keychainctl sync on
    step 0 'a recovery key' proving carol sync recovery
    step 206 'none without the passcode' as carol keychainctl sync recovery
    sync_refusals
    step 0 'lock' as carol keychainctl lock-keychain
    step 36 'refused while locked' as carol keychainctl sync once
    as carol keychainctl sync run >"$sync_work/run.log" 2>&1 &
    step 0 'run waits while locked' until_says 'waits until the keychain is unlocked' "$sync_work/run.log"
    sync_add dave locked three
    exchange dave >"$sync_work/exchange.log"
    proving carol unlock-keychain
    step 0 'and goes on' until_found carol locked three
    pkill -9 -u carol -x keychain-sync
    step 206 'nobody leaves without the passcode' as dave keychainctl sync leave
    step 1 'a device that is no keeper removes nobody' proving dave sync remove desk
    step 206 'nobody promotes without the passcode' as carol keychainctl sync promote laptop
    step 0 'promote a device' proving carol sync promote laptop
    step 0 'remove a device' proving carol sync remove laptop
    exchange dave >"$sync_work/exchange.log" 2>&1
    step 0 'it leaves' proving dave sync leave --force
    step 0 'leave' proving carol sync leave
}

# The server of the machine's PostgreSQL, in a directory of its own; nothing else sees it.
sync_postgresql() {
    local programs data=$sync_work/server relay account victim round
    programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)
    if [[ ! -x $programs/initdb ]]; then
        printf '  not run PostgreSQL is not installed\n'
        return
    fi
    install -d -m 755 -o postgres "$data"
    runuser -u postgres -- "$programs/initdb" -D "$data/data" -U sync -A trust >/dev/null
    runuser -u postgres -- "$programs/pg_ctl" -D "$data/data" -w -l "$data/log" \
        -o "-k $data -c listen_addresses=''" start >/dev/null
    relay="postgresql:///postgres?host=$data&user=sync"
    sync_relay=$relay
    step 0 'a circle with PostgreSQL' proving carol sync create --no-recovery --relay "$relay" --name desk
    sync_join "$relay"
    as carol keychainctl sync run >"$sync_work/run.log" 2>&1 &
    as dave keychainctl sync run >"$sync_work/run2.log" 2>&1 &
    sync_add dave quick four
    step 0 'a change is seen' until_found carol quick four
    step 0 'keychain-sync has no libpq' lacks libpq "$(process carol keychain-sync)"
    step 0 'keychain-relay has it' maps libpq "$(process carol keychain-relay)"
    step 0 'and not the group of protected programs' own_group_only "$(process carol keychain-relay)"
    for round in 1 2 3; do
        sync_add dave "relay$round" "value$round"
        until_process carol keychain-relay && until_process dave keychain-relay
        kill -9 "$(process carol keychain-relay)" "$(process dave keychain-relay)"
        step 0 "keychain-relay is killed, $round" until_found carol "relay$round" "value$round"
    done
    until_process carol keychain-relay
    victim=$(process carol keychain-relay)
    pkill -9 -u carol -x keychain-sync
    step 0 'keychain-relay ends with keychain-sync' until_gone "$victim"
    for round in 1 2 3 4 5; do
        sync_add carol "kill$round" "value$round"
        as carol keychainctl sync once >/dev/null 2>&1 &
        victim=$!
        sleep "0.0$((round * 3))"
        pkill -9 -u carol -x keychain-sync
        wait "$victim"
    done
    step 0 'five kills of keychain-sync lose nothing' as carol keychainctl sync once
    step 0 'the other account has all' until_found dave kill5 value5
    as carol keychainctl sync run >"$sync_work/run.log" 2>&1 &
    step 0 'run it again' until_process carol keychain-sync
    step 0 'kill the daemon' kill_daemon
    for account in carol dave; do
        step 0 "$account unlocks" proving "$account" unlock-keychain
    done
    sync_add carol after daemon
    step 0 'both go on with the new daemon' until_found dave after daemon
    pkill -9 -x keychain-sync
}
# sync_end: after sync_postgresql.
sync_end() {
    [[ -n $sync_relay ]] || return 0
    step 0 'leave' proving dave sync leave
    runuser -u postgres -- "$(printf '%s\n' /usr/lib/postgresql/*/bin | tail -n 1)/pg_ctl" \
        -D "$sync_work/server/data" -m immediate stop >/dev/null
}
until_gone() {
    for _ in $(seq 100); do
        [[ -d /proc/$1 ]] || return 0
        sleep 0.1
    done
    return 1
}
until_process() {
    for _ in $(seq 100); do
        [[ -z $(process "$1" "$2") ]] || return 0
        sleep 0.1
    done
    return 1
}
