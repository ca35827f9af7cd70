#!/usr/bin/env bash
# Every check of this repository: set-up, format, build, tests, ledger. CI runs this and nothing else.
#
# Usage: Scripts/test.sh [--all] [--tolerant] [--write]
#        Scripts/test.sh --quick [COMMIT]
#   --all       also run the conformance tests through the daemon of one account
#   --tolerant  pass if a few tests failed beside the others, and passed when they ran alone
#   --write     write the conformance page from the results of this run
#   --quick     only format, suites and command of what changed since COMMIT, and no set-up
set -euo pipefail
cd "$(dirname "$0")/.."

# The C walls are imported as implementation only, which the compiler warns of: a package that sees
# our modules without depending on them has no maps for these (Scripts/dependent.sh). What is
# hidden so is used in function bodies and by pointers alone.
strict=(
    --explicit-target-dependency-import-check error
    -Xswiftc -warnings-as-errors -Xswiftc -Wwarning -Xswiftc ImplementationOnlyDeprecated
    # Nobody asks an index of a build for tests about modules of the system.
    -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules
    # One process for a module reads it once; other modules keep the other cores busy. A second one
    # that only makes the interface type-checks it again and expands its macros again: with neither,
    # modules took 23 to 35 % less processor time. Two threads are for the last, largest modules.
    -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
    -Xswiftc -no-emit-module-separately-wmo -Xswiftc -disable-batch-mode
    # Neither checks of the compiler's own work, nor a digest of it for the next time: a twentieth.
    -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify
    -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
    # The linker of the compiler's own tools: half the time of the one that is the default.
    -Xswiftc -use-ld=lld
)
if [[ ${1:-} == --quick ]]; then
    shift
    exec Scripts/quick.sh "$@"
fi
all=no tolerant=() writes=no
for word in "$@"; do
    case $word in
        --all) all=yes ;;
        --tolerant) tolerant=(--tolerant) ;;
        --write) writes=yes ;;
        *) sed -n '4,9s/^# //p' "$0" >&2; exit 2 ;;
    esac
done
# The tests load this library as other people's programs do.
export KEYCHAIN_PKCS11=1
work=$(mktemp -d)
log=$work/step
trap 'jobs -p | xargs -r kill 2>/dev/null || true; rm -rf "$work" "${made:-$work}"' EXIT
done_steps=(setup)
again=()
unsteady=()

# step TITLE COMMAND…: one line when it works, everything it said when it does not.
step() {
    local title=$1 start=$SECONDS status=0
    shift
    printf '%-8s … ' "$title"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [[ $status -ne 0 ]]; then
        printf 'failed after %s s: %s\n' $((SECONDS - start)) "$*"
        # A passing test is no news, nor are the lines of its arguments.
        awk '/^[ \t]*(◇|✔|➜|✘|⚠)/ { passing = !/✘|⚠/ } !passing' "$log"
        exit "$status"
    fi
    printf '%s s\n' $((SECONDS - start))
    done_steps+=("$title")
}

# events NAME: the options that have `swift test` write what the ledger reads.
events() {
    printf '%s\n' --event-stream-output-path "$PWD/.build/$1-events.jsonl" --event-stream-version 0
}

ledger() {
    local results=(
        --results .build/{test,program,lint}-events.jsonl "${again[@]}"
        --endpoint system-daemon .build/system-daemon-events.jsonl
    )
    [[ $all == no ]] || results+=(--endpoint user-daemon .build/user-daemon-events.jsonl)
    if [[ $writes == yes ]]; then
        "$bin/conformance-ledger" write --run "$(run_words)" "${results[@]}" || return
    fi
    "$bin/conformance-ledger" check &&
        "$bin/conformance-ledger" verify "${results[@]}" "${tolerant[@]}" &&
        "$bin/conformance-ledger" count
}

# Which run this is: commit, day, machine, endpoints.
run_words() {
    local changed='' system endpoints='embedded and system daemon'
    [[ -z $(git status --porcelain) ]] || changed=' with changes'
    [[ $all == no ]] || endpoints='embedded, system daemon and user daemon'
    system=$(. /etc/os-release && printf '%s' "$PRETTY_NAME")
    printf 'commit %s%s, %s, %s cores of %s, %s, Swift %s, debug build, endpoints %s' \
        "$(git rev-parse --short=10 HEAD)" "$changed" "$(date -u +%F)" "$(nproc)" "$(uname -m)" \
        "$system" "$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')" \
        "$endpoints"
}

# The linter is a package of its own; its tests lint this repository, too.
lint() {
    # shellcheck disable=SC2046
    Tools/KeychainLint/test.sh $(events lint)
}

# through ENDPOINT: every promise of the API again, through the sockets of a daemon.
through() {
    KEYCHAIN_CONFORMANCE_ENDPOINT=$1 swift test --ignore-lock --skip-build "${strict[@]}" \
        --filter '^ConformanceTests\.' $(events "$1")
}

# The same promises through a daemon; the results of the ledger are those of the other tests.
system() {
    through system-daemon
}

# What is counted is the same on a busy machine.
counts() {
    KEYCHAIN_BIN=$bin Scripts/instructions.sh
}

# beside NAME…: these checks one after the other, until one fails, beside the steps that follow.
# Tests often wait for programs: what takes two minutes alone fills their pauses.
beside() {
    local name status
    for name in "$@"; do
        status=0
        "$name" >"$work/$name.log" 2>&1 </dev/null || status=$?
        printf '%s\n' "$status" >"$work/$name.status"
        [[ $status -eq 0 ]] || break
    done &
    others=$!
}

# ended NAME: waits for the checks beside, and says what this one said.
ended() {
    wait "$others" || true
    cat "$work/$1.log"
    return "$(<"$work/$1.status")"
}

# Tests that start programs mostly wait for them, so they run in a process beside the other tests:
# about half of the time of all threads in each.
tests() {
    local programs='^Keychain(Command|Daemon|Torture)Tests\.' output status=0 beside
    output=$(mktemp)
    rm -f .build/{test,program,again}-results*.xml .build/{test,program,again}-events.jsonl
    swift test --ignore-lock --skip-build "${strict[@]}" --filter "$programs" \
        --xunit-output .build/program-results.xml $(events program) >"$output" 2>&1 &
    beside=$!
    # Both read the database of the build, which one of them must not find locked.
    until grep -q 'Test run started' "$output" || ! kill -0 "$beside" 2>/dev/null; do sleep 0.1; done
    swift test --ignore-lock --skip-build "${strict[@]}" --skip "$programs" \
        --xunit-output .build/test-results.xml $(events test) || status=$?
    wait "$beside" || status=$?
    cat "$output"
    rm -f "$output"
    [[ $status -eq 0 ]] || alone
}

# The tests that failed, as `swift test --filter` takes them.
failed_tests() {
    LC_ALL=C awk -F '<testcase classname="|" name="|" time="' '
        function pattern(words) { gsub(/(&[a-z]+;|[^A-Za-z0-9])+/, ".+", words); return words }
        /<testcase / { name = "^" pattern($2 "." $3) }
        /<failure/ && name != "" { print name; name = "" }
    ' .build/{test,program}-results-swift-testing.xml
}

# A few tests that failed beside thousands of others run once more, with no other test beside
# them. What passes then is unsteady: the last lines name it, and the run fails unless that is
# tolerated.
alone() {
    local results
    for results in .build/{test,program}-results-swift-testing.xml; do
        grep -q '</testsuites>' "$results" || return
    done
    mapfile -t unsteady < <(failed_tests)
    ((${#unsteady[@]} >= 1 && ${#unsteady[@]} <= 3)) || return
    wait "$others" || true
    swift test --skip-build "${strict[@]}" --filter "$(IFS='|' && echo "${unsteady[*]}")" \
        --xunit-output .build/again-results.xml $(events again) || return
    # Each of them ran.
    [[ $(grep -c '<testcase ' .build/again-results-swift-testing.xml) -eq ${#unsteady[@]} ]] || return
    again=(--again .build/again-events.jsonl)
}

# The linter's fixtures are code that has mistakes on purpose.
format() {
    git ls-files -z -- '*.swift' ':!Tools/KeychainLint/Fixtures' |
        xargs -0 swift format lint --strict --parallel
}

# What tests left behind fails the run, or is named in its last lines where that is tolerated.
litter() {
    Scripts/litter.sh after "$work/names" "$TMPDIR" >"$work/litter" 2>&1 && return
    cat "$work/litter"
    ((${#tolerant[@]} > 0))
}

# Not a step: it may have to ask for a password.
Scripts/setup.sh
step format format
# Nobody debugs what is built here.
step build swift build -debug-info-format none --build-tests "${strict[@]}"
step dependent Scripts/dependent.sh
rm -f .build/lint-events.jsonl .build/*-daemon-events.jsonl
bin=$(swift build --show-bin-path)
# What tests make is here, so that what they leave is theirs; other accounts go through.
# Its name is short, because names of sockets have at most 107 bytes.
made=$(mktemp -d /tmp/k.XXXX)
chmod 1777 "$made"
export TMPDIR=$made
Scripts/litter.sh before "$work/names"
beside lint system counts
step tests tests
summary=$(grep -oE 'Test run with .* passed' "$log" | paste -sd '+' - | sed 's/+/, and /' || true)
step lint ended lint
step system ended system
step counts ended counts
# The daemon of one account is left to `Scripts/test.sh --all`, which takes a minute longer.
[[ $all == no ]] || step user through user-daemon
step litter litter
step ledger ledger
[[ ! -s $work/litter ]] || cat "$work/litter"
if ((${#unsteady[@]} > 0)); then
    printf 'unsteady, failed beside the others and passed alone: %s\n' "${unsteady[@]}" |
        sed 's/\^//; s/\.+/ /g'
    ((${#tolerant[@]} > 0)) || exit 1
fi
printf '%s; %s; steps: %s; %s s in all\n' \
    "${summary:-no summary of the tests}" "$(tail -n 1 "$log")" "${done_steps[*]}" "$SECONDS"
