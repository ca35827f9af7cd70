#!/usr/bin/env bash
# Shows the keychain at work: real secrets with the command, then simulated devices. Everything
# happens in a temporary directory. The exit status is 0 only if every step passed.
# Arguments go to `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1-} != -h && ${1-} != --help ]] || { sed -n '2,4s/^# //p' "$0"; exit 0; }

Scripts/setup.sh --tour
products=(keychainctl keychain-simulate)
home=$(mktemp -d)
trap 'remove_images; rm -rf "$home"' EXIT

# images: the session images of this keychain. They lie in memory, and begin with its keybag's name.
images() {
    [[ -f $home/keychain/keybag ]] || return 0
    local name place
    name=$(od -An -j12 -N8 -tx1 "$home/keychain/keybag" | tr -d ' \n')
    for place in "/run/user/$(id -u)" /dev/shm ${XDG_RUNTIME_DIR:+"$XDG_RUNTIME_DIR"}; do
        [[ -d $place ]] || continue
        find "$place" -maxdepth 1 -name "keychain-$name-*"
    done
}

remove_images() { images | xargs -r rm -f; }

for product in "${products[@]}"; do
    printf 'tour: building %s; the first time takes a few minutes\n' "$product"
    if ! swift build -c release "$@" --product "$product" >"$home/build" 2>&1; then
        cat "$home/build"
        exit 1
    fi
done
bin=$(swift build -c release "$@" --show-bin-path)

export KEYCHAIN_HOME=$home/keychain
unset KEYCHAIN_SOCKET KEYCHAIN_ENTITLEMENTS KEYCHAIN_DIAGNOSTICS
output=$home/output
failures=0

# random: 16 digits that nobody has written before, so that finding them means something.
random() { od -An -N8 -tx1 /dev/urandom | tr -d ' \n'; }
secret=secret-$(random) newer=newer-$(random) account=account-$(random)
service=service-$(random) label=label-$(random) passcode=passcode-$(random)

# verdict HOLDS TITLE EXPECTED OBSERVED
verdict() {
    local mark=ok
    if [[ $1 != yes ]]; then
        mark=FAILED
        failures=$((failures + 1))
    fi
    printf '  %-6s  %-52s expected %s, observed %s\n' "$mark" "$2" "$3" "$4"
}

# step STATUS TITLE WORD…: runs the command with what stands on standard input.
step() {
    local expected=$1 title=$2 status=0
    shift 2
    "$bin/keychainctl" "$@" >"$output" 2>"$output.error" || status=$?
    verdict "$([[ $status -eq $expected ]] && echo yes)" "$title" "status $expected" \
        "status $status"
    [[ $status -eq $expected ]] || sed 's/^/          /' "$output.error"
}

# shows TITLE TEXT: compares what the last step wrote.
shows() {
    local seen=something\ else
    [[ $(<"$output") == "$2" ]] && seen='that secret'
    verdict "$([[ $seen == that* ]] && echo yes)" "$1" 'that secret' "$seen"
}

# traces PATH…: how many files hold one of the texts that must not be found.
traces() {
    grep -rlaF -e "$secret" -e "$newer" -e "$account" -e "$service" -e "$label" -e "$passcode" \
        "$@" | wc -l
}

# sealed TITLE: searches every file of the keychain and of its session.
sealed() {
    local in_memory
    mapfile -t in_memory < <(images)
    local found=$(($(traces "$KEYCHAIN_HOME" "${in_memory[@]}")))
    verdict "$([[ $found -eq 0 ]] && echo yes)" "$1" '0 files' "$found files"
}

item=(-a "$account" -s "$service")

printf '\nThe command, on a keychain in %s\n' "$KEYCHAIN_HOME"
step 0 'add a password' add-generic-password "${item[@]}" -l "$label" <<<"$secret"
step 45 'add it again' add-generic-password "${item[@]}" <<<"$newer"
step 0 'find it' find-generic-password "${item[@]}" -w
shows 'it is the one that was added' "$secret"
step 0 'update it' add-generic-password "${item[@]}" -U <<<"$newer"
step 0 'find it' find-generic-password "${item[@]}" -w
shows 'it is the new one' "$newer"

printf '\nFiles on the disk\n'
find "$KEYCHAIN_HOME" -type f -printf '          %f: %s bytes, mode %m\n' | sort
present=$([[ -s $KEYCHAIN_HOME/keychain.db ]] && echo yes || echo no)
verdict "$present" 'there is a database' yes "$present"
printf '%s\n' "$secret" "$account" >"$home/control"
found=$(traces "$home/control")
rm "$home/control"
verdict "$([[ $found -eq 1 ]] && echo yes)" 'the search finds plain text' '1 file' \
    "$found file"
sealed 'secret, account, service or label, in any file'

printf '\nLocking\n'
step 0 'set a passcode' passcode set <<<"$passcode"
step 0 'lock' lock-keychain
step 36 'find the password: refused while locked' find-generic-password "${item[@]}" -w
step 51 'unlock with a wrong passcode' unlock-keychain <<<"wrong-$passcode"
step 36 'find the password: still refused' find-generic-password "${item[@]}" -w
step 0 'unlock' unlock-keychain <<<"$passcode"
step 0 'find the password' find-generic-password "${item[@]}" -w
shows 'it is the new one' "$newer"
shared=$(images | wc -l)
verdict "$([[ $shared -eq 1 ]] && echo yes)" 'the unlock is shared in memory' '1 file' "$shared files"
sealed 'nor the passcode, in any file'

printf '\nDeleting\n'
step 0 'delete the password' delete-generic-password "${item[@]}"
step 44 'find it: gone' find-generic-password "${item[@]}" -w

printf '\nSimulated devices, compared with the iOS Simulator\n'
report=${TMPDIR:-/tmp}/keychain-tour.html
"$bin/keychainctl" simulate --with-simulator --html "$report" Examples/Scenarios/*.json |
    sed 's/^/  /' || failures=$((failures + 1))
printf '\nThe same as a page: %s\n' "$report"

printf '\nPrograms on a simulated device\n'
Scripts/try-served.sh "$bin" || failures=$((failures + 1))

if [[ $failures -gt 0 ]]; then
    printf '\n%s steps failed.\n' "$failures"
    exit 1
fi
printf '\nAll steps passed.\n'
