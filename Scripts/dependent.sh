#!/usr/bin/env bash
# Compiles what a package compiles that does not depend on this one but sees its modules, as any
# package of a graph does that asks `#if canImport(Security)`: it has none of the C modules' maps.
set -euo pipefail
cd "$(dirname "$0")/.."

source=$(mktemp --suffix .swift)
trap 'rm -f "$source"' EXIT
cat >"$source" <<'SWIFT'
#if canImport(Security)
import LocalAuthentication
import SecureEnclaveKeys
import Security

let status: OSStatus = SecItemDelete([kSecClass: kSecClassKey] as NSDictionary)
let context = LAContext()
#else
#error("there is no module Security")
#endif
SWIFT
swiftc -typecheck -swift-version 6 -I "$(swift build --show-bin-path)/Modules" "$source"
