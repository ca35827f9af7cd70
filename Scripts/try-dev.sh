#!/usr/bin/env bash
# Scripts/try-dev.sh DIR: unpacks the -dev package of DIR (Scripts/package.sh makes it) where it installs
# its sources, compiles and runs a program that depends on it, and hides one package of headers after
# the other: each time the compiler has to name what to install. Takes minutes. Needs root. This machine
# stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'try-dev: %s\n' "$@" >&2
    exit 1
}

[[ $# -eq 1 && $1 != -* ]] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
[[ $(id -u) -eq 0 ]] || fail "this needs root"
packages=$(realpath "$1")
deb=$(compgen -G "$packages/swift-keychain-dev_*.deb") || fail "$packages has no -dev package: run Scripts/package.sh"
if [[ ${INSIDE_MOUNTS:-} != yes ]]; then
    exec env INSIDE_MOUNTS=yes unshare --mount "$PWD/Scripts/try-dev.sh" "$packages"
fi

place=$(mktemp -d)
trap 'umount --recursive --lazy "$place"; rmdir "$place"' EXIT
mount -t tmpfs -o mode=755 none "$place"
mkdir -p "$place"/{deb,upper,scratch,app/Sources/app}
dpkg-deb --extract "$deb" "$place/deb"
mount --bind "$place/deb/usr/src" /usr/src
sources=/usr/src/swift-keychain

cat >"$place/app/Package.swift" <<END
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "app",
    dependencies: [.package(path: "$sources")],
    targets: [
        .executableTarget(
            name: "app",
            dependencies: [.product(name: "Security", package: "swift-keychain")]
        )
    ]
)
END
cat >"$place/app/Sources/app/main.swift" <<'END'
import Foundation
import Security

let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "app"]
let added = item.merging([kSecValueData: Data("s3cret".utf8)]) { first, _ in first }
print(SecItemAdd(added as CFDictionary, nil), SecItemCopyMatching(item as CFDictionary, nil))
END

failures=0
# step TITLE STATUS OUTPUT: a line; with a status, also the output.
step() {
    if [[ $2 -eq 0 ]]; then
        printf '  ok      %s\n' "$1"
    else
        printf '  FAILED  %s\n%s\n' "$1" "$3"
        failures=$((failures + 1))
    fi
}

# without PACKAGE COMMAND…: runs it where the package has no header and no .pc file.
without() {
    unshare --mount bash -euc '
        place=$1 package=$2
        shift 2
        number=0
        for folder in /usr/include "/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/pkgconfig"; do
            number=$((number + 1))
            mkdir "$place"/{upper,scratch}/$number
            mount -t overlay -o "lowerdir=$folder,upperdir=$place/upper/$number,workdir=$place/scratch/$number" \
                none "$folder"
        done
        dpkg-query --listfiles "$package" | grep -E "^/usr/(include|lib/[^/]*/pkgconfig)/.*\.(h|pc)$" | xargs rm
        "$@"
    ' bash "$place" "$@" 2>&1
    local status=$?
    rm -rf "$place"/{upper,scratch}/*
    return "$status"
}

# named TITLE PACKAGE COMMAND…: without the package, the command fails and says what to install.
named() {
    local title=$1 output status=0
    shift
    output=$(without "$@") && status=1
    grep -E 'sudo apt-get install .*' <<<"$output" | grep -qF " $1" || status=1
    step "$title" "$status" "$output"
}

clang=${CC:-$(command -v clang || command -v cc)}
while read -r package header; do
    named "without $package, the compiler names it" "$package" \
        "$clang" -fsyntax-only -x c "$sources/Sources/$header"
done <<'END'
libargon2-dev CCrypto/include/CCrypto.h
libidn2-dev CDomainNames/shim.h
libp11-kit-dev CPKCS11/shim.h
libpsl-dev CDomainNames/shim.h
libsqlite3-dev CSQLite/shim.h
libssl-dev CCrypto/include/CCrypto.h
libsystemd-dev CSystemd/shim.h
libtss2-dev CTSS/shim.h
END
named "without libssl-dev, so does swift build of a program" libssl-dev \
    swift build --package-path "$place/app"
status=0
output=$(swift build --package-path "$place/app" 2>&1) || status=$?
step "with them, the program compiles" "$status" "$output"
output=$(KEYCHAIN_HOME=$place/home "$place/app/.build/debug/app" 2>&1) || true
step "it stores an item and finds it" "$([[ $output == '0 0' ]] && echo 0 || echo 1)" "$output"
printf '%s steps failed\n' "$failures"
[[ $failures -eq 0 ]]
