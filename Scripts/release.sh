#!/usr/bin/env bash
# Builds the programs and the library of an installation, so that two builds give the same bytes;
# prints the directory that has them.
set -euo pipefail
cd "$(dirname "$0")/.."
source Packaging/places.sh

[[ $# -eq 0 || $# -eq 1 && $1 != -* ]] || {
    cat >&2 <<'END'
usage: Scripts/release.sh [SCRATCH]

Builds everything that Scripts/install.sh and Scripts/package.sh install.

  SCRATCH       the directory of the build [.build]

Example: Scripts/install.sh --bin "$(Scripts/release.sh)"
END
    exit 2
}

# The programs of an installation, and no tests. No path of this machine gets into them: the
# compiler writes the one of the sources on any machine. Nobody debugs them or asks an index.
export KEYCHAIN_TARGETS
KEYCHAIN_TARGETS=$(IFS=, && printf '%s,keychain-pkcs11' "${programs[*]}")
options=(
    --scratch-path "${1:-.build}" --disable-index-store -debug-info-format none
    -Xswiftc -file-prefix-map -Xswiftc "$PWD=/usr/src/swift-keychain"
    -Xcc "-ffile-prefix-map=$PWD=/usr/src/swift-keychain"
    # What the loader has written, no program can change later.
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
    # No library looks for a symbol in a program; what nobody uses is then left out.
    -Xlinker --no-export-dynamic
)
Scripts/setup.sh --build >&2
swift build -c release --static-swift-stdlib "${options[@]}" >&2
Scripts/pkcs11-library.sh "${options[@]}" >&2
swift build -c release --static-swift-stdlib "${options[@]}" --show-bin-path
