#!/usr/bin/env bash
# Runs real clients of the Secret Service against keychain-secret-service, on a bus and in a home of
# their own. Prints one line per client; exits with 1 if one of them failed.
# usage: Scripts/doors/secret-service.sh [--measure] [DIRECTORY OF THE PROGRAMS]
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

if [[ ${1:-} != --inside ]]; then
    measure=no
    [[ ${1:-} != --measure ]] || { measure=yes; shift; }
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    bin=$(realpath "${1:-.build/debug}")
    # shellcheck disable=SC2097,SC2098
    HOME=$work KEYCHAIN_HOME=$work/keychain KEYCHAIN_SOCKET='' measure=$measure work=$work bin=$bin \
        dbus-run-session -- "$0" --inside 2> >(grep -v 'fd limit' >&2)
    exit
fi

failed=0
say() { printf '%-28s %s\n' "$1" "$2"; }
pass() { say "$1" "ok${2:+: $2}"; }
fail() { say "$1" "FAILED: $2"; failed=1; }
skip() { say "$1" "skipped: $2"; }
expect() { # NAME EXPECTED ACTUAL
    if [[ $2 == "$3" ]]; then pass "$1"; else fail "$1" "expected '$2', got '$3'"; fi
}

start() {
    "$bin/keychain-secret-service" >>"$work/log" 2>&1 &
    door=$!
    gdbus wait --session --timeout 20 org.freedesktop.secrets
}
stop() { kill "$door" 2>/dev/null; wait "$door" 2>/dev/null; }
keychainctl() { "$bin/keychainctl" "$@" 2>>"$work/log"; }

start

# secret-tool
printf 'pa55' | secret-tool store --label=Mail service mail user a
expect 'secret-tool lookup' pa55 "$(secret-tool lookup service mail user a)"
expect 'keychainctl finds it' pa55 "$(keychainctl find-generic-password -s mail -a a -w)"
printf 'one two' | keychainctl add-generic-password -s chat -a b -l Chat >/dev/null
expect 'secret-tool finds the other' "$(keychainctl find-generic-password -s chat -a b -w)" \
    "$(secret-tool lookup service chat account b)"
printf 'pa66' | secret-tool store --label=Mail service mail user a
expect 'secret-tool replaces' pa66 "$(secret-tool lookup service mail user a)"
expect 'secret-tool search --all' 1 "$(secret-tool search --all service mail 2>&1 | grep -c '^secret = pa66')"
keychainctl migrate --from secret-service >>"$work/log" && fail 'migrate' 'it moved items of the door'
expect 'migrate leaves them' pa66 "$(secret-tool lookup service mail user a)"
path=$(secret-tool search --all service mail 2>&1 | head -1)
stop
start
expect 'path after a restart' "$path" "$(secret-tool search --all service mail 2>&1 | head -1)"
secret-tool clear service mail user a
expect 'secret-tool clear' '' "$(secret-tool lookup service mail user a)"

# git
helper=$work/git-credential-libsecret
source=/usr/share/doc/git/contrib/credential/libsecret/git-credential-libsecret.c
if [[ -e $source ]] && pkg-config --exists libsecret-1 2>/dev/null; then
    # shellcheck disable=SC2046
    cc -o "$helper" "$source" $(pkg-config --cflags --libs libsecret-1) 2>>"$work/log"
    printf 'protocol=https\nhost=example.org\nusername=ada\npassword=gitpass\n\n' | "$helper" store >/dev/null
    got=$(printf 'protocol=https\nhost=example.org\nusername=ada\n\n' | "$helper" get | sed -n 's/^password=//p')
    expect "git-credential-libsecret" gitpass "$got"
    printf 'protocol=https\nhost=example.org\nusername=ada\n\n' | "$helper" erase >/dev/null
    got=$(printf 'protocol=https\nhost=example.org\nusername=ada\n\n' | "$helper" get | grep -c password)
    expect "git-credential-libsecret erase" 0 "$got"
else
    skip git-credential-libsecret 'needs git and libsecret-1-dev'
fi

# docker
docker=$(command -v docker-credential-secretservice)
if [[ -n $docker ]]; then
    printf '{"ServerURL":"https://r.example.org/v1/","Username":"ada","Secret":"dockerpass"}' | "$docker" store
    got=$(printf 'https://r.example.org/v1/' | "$docker" get | sed 's/.*"Secret":"\([^"]*\)".*/\1/')
    expect 'docker-credential get' dockerpass "$got"
    expect 'docker-credential list' '{"https://r.example.org/v1/":"ada"}' "$("$docker" list | tr -d '\n')"
    printf 'https://r.example.org/v1/' | "$docker" erase
    expect 'docker-credential erase' '{}' "$("$docker" list | tr -d '\n')"
else
    skip docker-credential 'needs golang-docker-credential-helpers'
fi

# Python: the packages and their own tests, from PyPI
suite() { # NAME PACKAGE TESTS…
    local name=$1 package=$2 folder result
    shift 2
    (cd "$work" && "$work/venv/bin/pip" -q download --no-deps --no-binary "$package" "$package" && tar xzf "${package,,}"-*.tar.gz) \
        >>"$work/log" 2>&1 || { skip "$name" "its source cannot be had"; return; }
    folder=$(find "$work" -maxdepth 1 -type d -iname "$package-*")
    result=$(cd "$folder" && timeout 120 "$work/venv/bin/python" -m pytest -q -p no:cacheprovider -o addopts= "$@" 2>&1 | tee -a "$work/log" | tail -1)
    if [[ $result == *passed* && $result != *failed* ]]; then pass "$name" "$result"; else fail "$name" "$result"; fi
}
if python=$(command -v /usr/bin/python3) && "$python" -m venv --system-site-packages "$work/venv" >>"$work/log" 2>&1 &&
    "$work/venv/bin/pip" -q install secretstorage keyring pytest >>"$work/log" 2>&1; then
    suite 'Python secretstorage' SecretStorage tests
    suite 'Python keyring' keyring tests/backends/test_SecretService.py tests/backends/test_libsecret.py
    got=$("$work/venv/bin/python" - <<'PYTHON' 2>>"$work/log"
import secretstorage
connection = secretstorage.dbus_init()
collection = secretstorage.get_default_collection(connection)
for value in (b"", b"\0\1\n", bytes(range(256)) * 12, b"line\nline\n"):
    item = collection.create_item("bytes", {"kind": "bytes"}, value, replace=True)
    assert item.get_secret() == value, len(value)
    found = next(secretstorage.search_items(connection, {"kind": "bytes"}))
    assert found.get_secret() == value and found.item_path == item.item_path
item.delete()
print("ok")
PYTHON
    )
    expect 'any bytes, also none' ok "$got"
else
    skip Python 'there is no venv or no registry'
fi

# Locked, with a dialog
cat >"$work/pinentry" <<'PINENTRY'
#!/bin/sh
echo OK
while read -r word rest; do
    case $word in
        GETPIN) echo "D $(cat "$0.answer")"; echo OK ;;
        BYE) echo OK; exit ;;
        *) echo OK ;;
    esac
done
PINENTRY
chmod +x "$work/pinentry"
printf 'secret of a lock' | secret-tool store --label=Lock lock yes
stop
printf 'right passcode 1\nright passcode 1\n' | keychainctl passcode set >/dev/null
export KEYCHAIN_PINENTRY=$work/pinentry
printf 'right passcode 1' >"$work/pinentry.answer"
start
# Debian 12's `secret-tool lock` crashes after its call, with gnome-keyring too.
gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets \
    --method org.freedesktop.Secret.Service.Lock "['/org/freedesktop/secrets/collection/login']" >>"$work/log"
expect 'Lock' locked "$(keychainctl status | sed -n 's/^state *//p')"
expect 'lookup unlocks with a dialog' 'secret of a lock' "$(secret-tool lookup lock yes 2>>"$work/log")"
keychainctl lock-keychain
printf 'wrong' >"$work/pinentry.answer"
expect 'a wrong passcode opens nothing' '' "$(secret-tool lookup lock yes 2>>"$work/log")"
stop

if [[ $measure == yes ]] && pkg-config --exists libsecret-1; then
    # shellcheck disable=SC2046
    cc -O2 -o "$work/measure" Tools/KeychainCompare/secret-service.c $(pkg-config --cflags --libs libsecret-1)
    for count in 10 1000 10000; do
        export KEYCHAIN_HOME=$work/measured-$count
        start
        if line=$("$work/measure" fill "$count" 2>&1 && "$work/measure" "$count" 200 20 2>&1); then
            pass libsecret "$count items, in µs: ${line//$'\n'/, }"
        else
            fail libsecret "$line"
        fi
        stop
    done
fi
[[ $failed -eq 0 ]] || { tail -20 "$work/log" >&2; exit 1; }
