#!/usr/bin/env bash
# release-check.sh [--bin DIR] [--output DIR] [--other ROOT.tar] [CHECK…]: everything that is checked
# before something is called a release, one line for each check. Without names: all, some hours.
#
#   tests    the tests that drive programs, with the programs of the release build
#   package  makes the Debian packages            builds   a second build gives the same bytes
#   lintian  finds nothing in the packages        install  installs, upgrades, removes and purges
#   dev      a program depends on the sources     tarball  makes one, and runs it in ROOT.tar
#   site     pages of all public names            recipes  the recipes of Documentation/Recipes.md
#   relays   each relay, alone and as operators have them
#   units    systemd's units in a container       sync     two accounts, kills of each process
#   wayout   all secrets come back out
#
# --bin has a release build (Scripts/release.sh); without it, one is made in .build-release. --output
# keeps packages, site and logs [.build-release/check]. --other is the root of another distribution,
# for the tarball. Exit status: 0 if all held, 1 if one failed, 3 if the rest held and something
# could not be tried here.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

all=(tests package builds lintian install dev tarball site recipes relays units sync wayout)
bin='' output=.build-release/check other=''
while [[ ${1:-} == --* ]]; do
    [[ $# -ge 2 ]] || usage
    case $1 in
        --bin) bin=$(realpath "$2") ;;
        --output) output=$2 ;;
        --other) other=$(realpath "$2") ;;
        *) usage ;;
    esac
    shift 2
done
checks=("$@")
[[ $# -gt 0 ]] || checks=("${all[@]}")
for check in "${checks[@]}"; do [[ " ${all[*]} " == *" $check "* ]] || usage; done
mkdir -p "$output"
output=$(realpath "$output")
failed=0 untried=0

# What a check needs and this machine has not: it ends the check, which then counts as not tried.
needs() {
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { printf '%s is missing\n' "$tool"; exit 3; }
    done
}

needs_root() {
    [[ $(id -u) -eq 0 ]] || { echo 'this needs root'; exit 3; }
}

has_packages() {
    compgen -G "$output/packages/swift-keychain_*.deb" >/dev/null || check_package
}

# The tests that start programs of an installation: command, daemon, doors, simulate, sync.
# A filter that names nothing passes: so many tests have to have run.
check_tests() {
    local slice='ServedDevice|^(SSHAgent|KeychainSecretService|BrowserDoor|KeychainDaemon)Tests\.' count
    local said=$output/tests.said
    KEYCHAIN_RELEASE_BIN=$bin swift test --filter "$slice|^KeychainCommandTests\.Programs" >"$said" 2>&1 ||
        { cat "$said"; return 1; }
    cat "$said"
    count=$(sed -n 's/.*Test run with \([0-9]*\) tests.*/\1/p' "$said" | tail -n 1)
    rm -f "$said"
    ((${count:-0} >= 400)) || { echo "only ${count:-0} tests ran"; return 1; }
}

check_package() {
    needs dpkg-deb dpkg-shlibdeps objcopy
    rm -rf "$output/packages"
    Scripts/package.sh --bin "$bin" --output "$output/packages"
}

check_builds() {
    has_packages
    local second
    second=$(Scripts/release.sh .build-release/second)
    rm -rf "$output/second"
    Scripts/package.sh --bin "$second" --output "$output/second"
    diff -r "$output/packages" "$output/second"
}

check_lintian() {
    needs lintian
    has_packages
    lintian --fail-on error,warning "$output"/packages/*.deb
}

check_install() {
    needs_root
    needs systemd-nspawn mmdebstrap dpkg-deb apt-file
    has_packages
    Scripts/try-package.sh "$output/packages" "$output/root.tar"
}

check_dev() {
    needs_root
    has_packages
    Scripts/try-dev.sh "$output/packages"
}

check_tarball() {
    Scripts/package.sh --bin "$bin" --output "$output/tarball" --tarball
    needs_root
    needs systemd-nspawn
    [[ -n $other ]] || { echo 'name the root of another distribution with --other'; exit 3; }
    Scripts/try-tarball.sh "$output"/tarball/*.tar.xz "$other"
}

check_site() {
    rm -rf "$output/site"
    Scripts/site.sh "$output/site"
}

check_recipes() {
    needs_root
    needs systemd-nspawn python3 swtpm
    Scripts/recipes.sh --bin "$bin"
}

check_relays() {
    compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null ||
        { echo 'no server of PostgreSQL: install postgresql'; exit 3; }
    Scripts/relays.sh
    KEYCHAIN_BIN=$bin Scripts/relays-real.sh
}

check_units() {
    needs_root
    needs systemd-nspawn
    Scripts/try-installed.sh "$bin"
}

check_sync() {
    needs_root
    Scripts/try-sync.sh "$bin"
}

check_wayout() {
    Scripts/way-out.sh --bin "$bin"
}

# check NAME: runs it, and prints its line and where the rest is.
check() {
    local name=$1 start=$SECONDS status log=$output/$1.log
    # On the left of `||`, the first command that fails would not end it.
    set +e
    (set -e; "check_$name") >"$log" 2>&1 </dev/null
    status=$?
    set -e
    # Scripts name so what they could not try.
    if [[ $status -eq 0 ]] && grep -q '^  not run ' "$log"; then
        untried=1
        printf '%-8s ok, %s s, but %s\n' "$name" $((SECONDS - start)) \
            "$(grep -m 1 '^  not run ' "$log" | sed 's/^ *//')"
        return
    fi
    case $status in
        0) printf '%-8s ok, %s s\n' "$name" $((SECONDS - start)) ;;
        3) untried=1; printf '%-8s not tried: %s\n' "$name" "$(tail -n 1 "$log")" ;;
        *) failed=1; printf '%-8s FAILED with %s: %s: %s\n' "$name" "$status" "$log" "$(tail -n 1 "$log")" ;;
    esac
}

if [[ -z $bin ]]; then
    start=$SECONDS
    bin=$(realpath "$(Scripts/release.sh .build-release 2>"$output/build.log")") ||
        { tail -n 20 "$output/build.log"; exit 1; }
    printf '%-8s ok, %s s: %s\n' build $((SECONDS - start)) "$bin"
fi
for check in "${checks[@]}"; do check "$check"; done
((failed == 0)) || exit 1
((untried == 0)) || exit 3
