#!/usr/bin/env bash
# Scripts/try-served.sh [BIN]: serves a simulated device, and runs real programs on it: the command of
# BIN (default: the installed one), git, an SSH agent with ssh-add, and p11tool. One line for each step;
# a program that is not installed is named. Meant for release builds, which tests do not run.
set -euo pipefail
[[ ${1-} != -h && ${1-} != --help ]] || { sed -n '2,4s/^# //p' "$0"; exit 0; }

bin=${1:-}
if [[ -n $bin ]]; then
    bin=$(realpath "$bin")
    export PATH=$bin:$PATH
    module=$bin/libkeychain-pkcs11.so
else
    module=$(compgen -G '/usr/lib/*/pkcs11/libkeychain-pkcs11.so' | head -1 || true)
fi
home=$(mktemp -d)
server=''
# shellcheck disable=SC2317
end() {
    if [[ -n $server ]]; then kill "$server" && wait "$server" || true; fi 2>/dev/null
    rm -rf "$home"
}
trap end EXIT
export HOME=$home XDG_RUNTIME_DIR=$home GIT_CONFIG_NOSYSTEM=1
unset KEYCHAIN_HOME KEYCHAIN_SOCKET KEYCHAIN_ENTITLEMENTS KEYCHAIN_SIM XDG_DATA_HOME
failures=0

# step STATUS TITLE TEXT COMMAND…: runs the command; its output has the text.
step() {
    local expected=$1 title=$2 text=$3 status=0
    shift 3
    "$@" >"$home/output" 2>&1 || status=$?
    if [[ $status -eq $expected ]] && { [[ -z $text ]] || grep -qF -- "$text" "$home/output"; }; then
        printf '  ok      %s\n' "$title"
    else
        printf '  FAILED  %s: status %s, expected %s\n' "$title" "$status" "$expected"
        sed 's/^/          /' "$home/output"
        failures=$((failures + 1))
    fi
}
on_device() { env KEYCHAIN_SIM=phone "$@"; }
add() { printf s3cret | on_device keychainctl add-generic-password -s mail -a ada; }
find() { on_device keychainctl find-generic-password -s mail -a ada -w; }
git_helper() {
    printf 'protocol=https\nhost=example.org\nusername=ada\npassword=s3cret\n\n' |
        on_device keychainctl git-credential store
    printf 'protocol=https\nhost=example.org\n\n' |
        on_device git -c credential.helper= -c 'credential.helper=!keychainctl git-credential' credential fill
}
tokens() { on_device p11tool --provider "$module" --list-tokens; }

coproc device { exec keychainctl simulate --serve phone; }
server=$device_PID
read -r line <&"${device[0]}" || line='nothing was said'
step 0 'a simulated device is served' KEYCHAIN_SIM=phone echo "$line"
step 0 'the command stores a password in it' '' add
step 0 'and finds it' s3cret find
step 0 'it is the device' 'simulated device' on_device keychainctl status
if command -v git >/dev/null; then
    step 0 'git stores and finds a password' password=s3cret git_helper
else
    printf '  not run git is not installed\n'
fi
if command -v ssh-add >/dev/null && command -v keychain-ssh-agent >/dev/null; then
    step 0 'make an SSH key' ssh-ed25519 on_device keychainctl ssh generate -C key-of-ada
    step 0 'the agent lists it' key-of-ada on_device keychain-ssh-agent ssh-add -l
else
    printf '  not run ssh-add or the agent is not installed\n'
fi
if command -v p11tool >/dev/null && [[ -n $module && -e $module ]]; then
    step 0 'p11tool lists its tokens' 'Token' tokens
else
    printf '  not run p11tool or the library for PKCS #11 is not installed\n'
fi
printf 'API_TOKEN=x\n' >"$home/.env"
step 2 'migrate moves no secret into it' 'copy with --keep' on_device keychainctl migrate "$home/.env"
step 0 'but copies one' 'original kept' on_device keychainctl migrate --keep "$home/.env"
step 0 'the device is locked' '' keychainctl simulate phone lock
step 36 'find it: refused while locked' -25308 find
step 44 'the keychain of the account has nothing of it' '' keychainctl find-generic-password -s mail
kill "$server"
status=0
wait "$server" || status=$?
server=''
step 0 'the device ends' 0 echo "$status"
[[ $failures -eq 0 ]] || exit 1
