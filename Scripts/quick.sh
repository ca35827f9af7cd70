#!/usr/bin/env bash
# quick.sh [COMMIT]: what a small change needs, in about a minute: the format of the files that
# changed since COMMIT (HEAD), the suites of their targets, and the command once if it uses them.
#
# Only what these suites need is built, in .build-quick; the first time takes minutes. Tests that
# take longer than all others together are left out. The last lines say what did not run:
# Scripts/test.sh runs everything. KEYCHAIN_QUICK_BUILD names another folder for the build.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ $# -le 1 && ${1:-} != -* ]] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }

since=${1:-HEAD}
build=${KEYCHAIN_QUICK_BUILD:-.build-quick}
options=(
    --scratch-path "$build" --explicit-target-dependency-import-check error
    -Xswiftc -warnings-as-errors -Xswiftc -Wwarning -Xswiftc ImplementationOnlyDeprecated
    -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
    -Xswiftc -use-ld=lld
)
# Attacks, tortures and other tools: minutes.
slow='An attack on the system daemon|under torture|share a keychain|A disk that|Programs/'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export KEYCHAIN_PKCS11=1

# step TITLE COMMAND…: one line when it works, everything it said when it does not.
step() {
    local title=$1 start=$SECONDS
    shift
    printf '%-8s … ' "$title"
    if ! "$@" >"$work/log" 2>&1 </dev/null; then
        printf 'failed after %s s: %s\n' $((SECONDS - start)) "$*"
        awk '/^[ \t]*(◇|✔|➜|✘|⚠)/ { passing = !/✘|⚠/ } !passing' "$work/log"
        exit 1
    fi
    printf '%s s\n' $((SECONDS - start))
}

format() {
    grep -E '\.swift$' "$work/files" | grep -v '^Tools/KeychainLint/Fixtures/' |
        while read -r file; do [[ ! -f $file ]] || printf '%s\0' "$file"; done |
        xargs -0 -r swift format lint --strict --parallel
}

# The command stores an item, finds it, and has its tables in order.
command_once() {
    local command=$build/debug/keychainctl
    export KEYCHAIN_HOME=$work/keychain KEYCHAIN_SOCKET='' KEYCHAIN_UNLOCK_TIME=0
    export XDG_RUNTIME_DIR=$work
    "$command" add-generic-password -s quick -a ada <<<'hunter2'
    [[ $("$command" find-generic-password -s quick -a ada -w) == hunter2 ]]
    "$command" doctor
}

{ git diff --name-only "$since"; git ls-files --others --exclude-standard; } | sort -u >"$work/files"
swift package --scratch-path "$build" describe --type json >"$work/targets.json" 2>"$work/log" ||
    { cat "$work/log"; exit 1; }
mapfile -t answer < <(Scripts/quick.py "$work/targets.json" <"$work/files")
changed=${answer[0]} suites=${answer[1]} others=${answer[2]} uses_command=${answer[3]:-}

printf 'changed: %s\n' "${changed:-no target}"
step format format
if [[ -n $suites$uses_command ]]; then
    export KEYCHAIN_TARGETS=$suites${uses_command:+,keychainctl}
    step build swift build -debug-info-format none --build-tests "${options[@]}"
fi
if [[ -n $suites ]]; then
    step tests swift test --skip-build "${options[@]}" --skip "$slow" \
        --filter "^(${suites//,/|})\\."
    grep -oE 'Test run with .* passed' "$work/log" || true
fi
[[ -z $uses_command ]] || step command command_once
printf 'did not run: tests named %s\n' "${slow//|/, }"
printf 'did not run: %s\n' "${others:-no other suite uses what changed}" |
    sed 's/,/, /g' | fold -s -w 100
outside=$(grep -cE '^(Tools/KeychainLint|Scripts|Packaging)/' "$work/files" || true)
[[ $outside == 0 ]] || printf 'did not run: checks of the linter, scripts and packaging\n'
echo 'did not run: the ledger, tidy rules, calls through daemons: Scripts/test.sh runs them'
