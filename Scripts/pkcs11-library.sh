#!/usr/bin/env bash
# Builds libkeychain-pkcs11.so for an installation: with Swift's libraries inside, as other people's
# programs cannot be expected to find them, and with one name for them to see. SwiftPM has no option
# for either, so the objects that it compiled are linked once more.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'pkcs11-library: %s\n' "$@" >&2
    exit 1
}

[[ ${1:---} == -* && ${1-} != --help ]] || {
    cat >&2 <<'END'
usage: Scripts/pkcs11-library.sh [OPTION…]

Writes libkeychain-pkcs11.so beside the programs of the release build. OPTION is one of swift build.
END
    exit 2
}
libraries=$(swiftc -print-target-info -static-stdlib |
    sed -n 's|^ *"runtimeResourcePath": "\(.*\)",\{0,1\}$|\1|p')/linux
[[ -d $libraries ]] || fail "this toolchain has no static libraries of Swift in $libraries"
export KEYCHAIN_PKCS11=1
options=(-c release --static-swift-stdlib "$@" -Xlinker "-L$libraries")
log=$(swift build "${options[@]}" --product keychain-pkcs11 2>&1) || fail "swift build failed:" "$log"
built=$(swift build "${options[@]}" --show-bin-path)

names=$(mktemp)
trap 'rm -f "$names" "$built/libkeychain-pkcs11.so.new"' EXIT
printf '{ global: C_GetFunctionList; local: *; };\n' >"$names"
swiftc -emit-library -static-stdlib -o "$built/libkeychain-pkcs11.so.new" \
    "@$built/keychain-pkcs11.product/Objects.LinkFileList" \
    -Xlinker "--version-script=$names" -Xlinker --gc-sections -Xlinker -s \
    -Xlinker -z -Xlinker nodelete -Xlinker -soname=libkeychain-pkcs11.so \
    -lcrypto -largon2 -lsqlite3
mv "$built/libkeychain-pkcs11.so.new" "$built/libkeychain-pkcs11.so"
