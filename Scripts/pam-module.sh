#!/usr/bin/env bash
# pam-module.sh OUTPUT: compiles pam_keychain.so.
#
# SwiftPM would link it to Swift's libraries, which have no place in the programs that log people in.
set -euo pipefail
[[ $# -eq 1 ]] || { echo "usage: Scripts/pam-module.sh OUTPUT" >&2; exit 2; }
source=$(dirname "$(dirname "$(realpath "$0")")")/Sources/PAMKeychain
compiler=${CC:-$(command -v clang || command -v cc)}
"$compiler" -std=gnu11 -Wall -Wextra -Werror -O2 -fPIC -shared -fvisibility=hidden \
    -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now,-z,defs \
    -Wl,-soname=pam_keychain.so \
    -I"$source/include" -o "$1" "$source/module.c" "$source/helper.c" -lpam
