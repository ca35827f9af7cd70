#!/usr/bin/env bash
# Scripts/setup.sh [--build|--tour]: installs the missing Debian packages that the build and the tests need, with
# --build only those that programs and packages are made with, with --tour only those that the tour builds with. Lists
# them first; prints nothing if none is missing.
set -euo pipefail

packages=(bash-completion ca-certificates curl dbus-daemon expect fish git gnome-keyring gnutls-bin groff-base
    libargon2-dev libengine-pkcs11-openssl libglib2.0-bin libidn2-dev libnss3-tools libp11-kit-dev libpam0g-dev libpq-dev
    libpsl-dev libsecret-tools libsqlite3-dev libssl-dev libsystemd-dev libtss2-dev libx11-dev libxtst-dev man-db opensc
    openssh-client openssh-server pamtester pinentry-curses pinentry-gnome3 pinentry-gtk2 pinentry-qt pkg-config python3
    python3-dotenv swtpm weston wev xvfb zsh)
libraries=(libargon2 libcrypto libcurl libidn2 libpq libpsl libsystemd sqlite3 tss2-esys)
names='SQLite, OpenSSL 3, Argon2, libsystemd, libpsl, libidn2, tpm2-tss, libpq and libcurl'

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

case ${1-} in
    '') ;;
    --build)
        packages=(binutils dpkg-dev libargon2-dev libidn2-dev libp11-kit-dev libpam0g-dev libpq-dev libpsl-dev
            libsqlite3-dev libssl-dev libsystemd-dev libtss2-dev pkg-config python3 xz-utils)
        ;;
    --tour)
        packages=(libargon2-dev libidn2-dev libpsl-dev libsqlite3-dev libssl-dev pkg-config)
        libraries=(libargon2 libcrypto libidn2 libpsl sqlite3)
        names='SQLite, OpenSSL 3, Argon2, libpsl and libidn2'
        ;;
    *) fail "usage: Scripts/setup.sh [--build|--tour]" ;;
esac
# Any build of libcurl has the headers, and Debian has one of them at a time.
[[ ${1-} == --tour ]] || command -v curl-config >/dev/null || packages+=(libcurl4-openssl-dev)

have_libraries() {
    command -v pkg-config >/dev/null && pkg-config --exists "${libraries[@]}"
}

missing_packages() {
    local package
    for package in "${packages[@]}"; do
        dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null |
            grep -qx installed || printf '%s\n' "$package"
    done
}

as_root() {
    if [[ $(id -u) -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo -- env DEBIAN_FRONTEND=noninteractive "$@"
    else
        fail "these need root and there is no sudo: $*"
    fi
}

command -v swift >/dev/null || fail "swift is not on the PATH: install Swift 6.3 or later (swift.org/install)"

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    have_libraries && exit 0
    fail "this system has no apt-get; install the development files of" \
        "$names, with pkg-config, and run this again"
fi

mapfile -t missing < <(missing_packages)
[[ ${#missing[@]} -eq 0 ]] && exit 0

printf 'setup: installing %s packages: %s\n' ${#missing[@]} "${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
as_root apt-get update -qq </dev/null
as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >/dev/null
