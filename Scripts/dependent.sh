#!/usr/bin/env bash
# Compiles what a package compiles that does not depend on this one but sees its modules, as any
# package of a graph does that asks `#if canImport(Security)`: it has none of the C modules' maps.
#
#   Scripts/dependent.sh                 against the modules of this checkout's build: seconds
#   Scripts/dependent.sh --graph [DIR]   SwiftPM builds such a graph, and its program runs: minutes
#
# DIR keeps the graph and its build for the next time.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The source of the package that does not depend on this one; without our modules it is an error,
# so that nothing passes because they were not there yet.
stranger() {
    cat <<'SWIFT'
#if canImport(Security)
import LocalAuthentication
import SecureEnclaveKeys
import Security

public func deleteEveryKey() -> OSStatus {
    let context = LAContext()
    defer { context.invalidate() }
    return SecItemDelete([kSecClass: kSecClassKey] as NSDictionary)
}
#else
#error("there is no module Security")
#endif
SWIFT
}

# file PATH: writes standard input there, unless it says the same already.
file() {
    mkdir -p "$(dirname "$1")"
    cat >"$scratch/text"
    cmp -s "$scratch/text" "$1" || cp "$scratch/text" "$1"
}

# graph DIR: two packages, of which the second one knows nothing of this one.
graph() {
    local sources=$1/app/Sources
    stranger | file "$1/stranger/Sources/Stranger/Stranger.swift"
    file "$1/stranger/Package.swift" <<'SWIFT'
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "stranger",
    products: [.library(name: "Stranger", targets: ["Stranger"])],
    targets: [.target(name: "Stranger")]
)
SWIFT
    file "$1/app/Package.swift" <<SWIFT
// swift-tools-version: 6.0
import PackageDescription

let keychain: [Target.Dependency] = ["Security", "LocalAuthentication", "SecureEnclaveKeys"].map {
    .product(name: \$0, package: "swift-keychain")
}
let package = Package(
    name: "app",
    dependencies: [
        .package(name: "swift-keychain", path: "$checkout"),
        .package(path: "../stranger"),
    ],
    targets: [
        .target(name: "Own", dependencies: keychain),
        .executableTarget(
            name: "app",
            dependencies: ["Own", .product(name: "Stranger", package: "stranger")]
        ),
    ]
)
SWIFT
    file "$sources/Own/Own.swift" <<'SWIFT'
import LocalAuthentication
import SecureEnclaveKeys
import Security

public let nothingFound: OSStatus = errSecItemNotFound
SWIFT
    file "$sources/app/main.swift" <<'SWIFT'
import Own
import Stranger

precondition(deleteEveryKey() == nothingFound)
print("the stranger uses the keychain")
SWIFT
}

case ${1-} in
"")
    stranger >"$scratch/stranger.swift"
    # Packages ask for other modules of ours, too.
    sed -n 's/.*\.library(name: "\(.*\)", targets.*/import \1/p' Package.swift >"$scratch/all.swift"
    swiftc -typecheck -parse-as-library -swift-version 6 \
        -I "$(swift build --show-bin-path)/Modules" "$scratch/stranger.swift" "$scratch/all.swift"
    ;;
--graph)
    place=${2:-$scratch/graph}
    graph "$place"
    cd "$place/app"
    # SwiftPM does not know that the stranger looks at our modules: they have to be there first, and
    # another build of them is no reason for it to compile the stranger again.
    swift build --target Own
    touch ../stranger/Sources/Stranger/Stranger.swift
    swift build
    KEYCHAIN_HOME=$scratch/home "$(swift build --show-bin-path)/app"
    ;;
*)
    echo "usage: Scripts/dependent.sh [--graph [DIR]]" >&2
    exit 2
    ;;
esac
