// swift-tools-version: 6.2
import PackageDescription

// Targets are listed floor by floor; ARCHITECTURE.md draws the same house.
let package = Package(
    name: "swift-keychain",
    products: [
        .library(name: "KeychainServices", targets: ["KeychainServices"]),
        .library(name: "KeychainAuthentication", targets: ["KeychainAuthentication"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
        .library(name: "KeychainSimulator", targets: ["KeychainSimulator"]),
        .library(name: "ApplicationShim", targets: ["ApplicationShim"]),
        .library(name: "SecurityDocCompat", targets: ["SecurityDocCompat"]),
        .library(name: "SecureEnclaveKeys", targets: ["SecureEnclaveKeys"]),
        .library(name: "SecureElementTPM", targets: ["SecureElementTPM"]),
        .library(name: "KeychainMigration", targets: ["KeychainMigration"]),
        .executable(name: "keychainctl", targets: ["keychainctl"]),
        .executable(name: "keychain-fingerprint", targets: ["keychain-fingerprint"]),
        .executable(name: "keychain-logind", targets: ["keychain-logind"]),
        .executable(name: "keychain-migrate", targets: ["keychain-migrate"]),
        .executable(name: "keychain-benchmark", targets: ["keychain-benchmark"]),
        .executable(name: "keychain-simulate", targets: ["keychain-simulate"]),
    ],
    targets: [
        // C walls.
        .systemLibrary(
            name: "CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]
        ),
        .systemLibrary(
            name: "CSystemd",
            pkgConfig: "libsystemd",
            providers: [.apt(["libsystemd-dev"])]
        ),
        // Headers alone: libtss2 is loaded when a TPM is used, so nothing is linked.
        .systemLibrary(name: "CTSS", providers: [.apt(["libtss2-dev"])]),
        .target(name: "CProcess"),
        .target(
            name: "CCrypto",
            linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("argon2")]
        ),

        // Ground.
        .target(name: "CoreFoundation"),
        .target(name: "Secrets", dependencies: ["CProcess"]),
        .target(name: "KeychainModel", dependencies: ["Secrets"]),
        .target(name: "PlaintextStores", dependencies: ["Secrets"]),
        .target(name: "Cryptography", dependencies: ["CCrypto", "Secrets"]),
        .target(
            name: "KeychainReferences",
            dependencies: ["KeychainModel", "Cryptography", "Secrets"]
        ),

        // Rooms.
        .target(
            name: "DataProtection",
            dependencies: ["KeychainModel", "Cryptography", "Secrets"]
        ),

        // The host.
        .target(
            name: "KeychainEngine",
            dependencies: ["KeychainModel", "Cryptography", "DataProtection", "Secrets", "CSQLite"]
        ),
        .target(name: "KeychainPrompts", dependencies: ["KeychainModel", "Secrets"]),
        .target(
            name: "KeychainHost",
            dependencies: [
                "KeychainModel", "KeychainEngine", "KeychainPrompts", "DataProtection",
                "Cryptography", "Secrets",
            ]
        ),

        // For programs whose keychain is on a TPM.
        .target(
            name: "SecureElementTPM",
            dependencies: ["KeychainHost", "DataProtection", "Secrets", "CTSS"]
        ),

        // Front doors.
        .target(
            name: "KeychainServices",
            dependencies: [
                "CoreFoundation", "KeychainModel", "KeychainHost", "KeychainReferences",
                "Cryptography", "Secrets",
            ]
        ),
        .target(
            name: "KeychainAuthentication",
            dependencies: [
                "KeychainServices", "KeychainHost", "KeychainModel", "CoreFoundation", "Secrets",
            ]
        ),
        .target(name: "Security", dependencies: ["KeychainServices"]),
        .target(
            name: "LocalAuthentication",
            dependencies: ["KeychainAuthentication", "KeychainServices"]
        ),

        .target(
            name: "SecureEnclaveKeys",
            dependencies: [
                "KeychainAuthentication", "KeychainServices", "KeychainHost", "KeychainModel",
                "KeychainReferences", "Cryptography", "CoreFoundation", "Secrets",
            ]
        ),

        // For code that needs a little more of Apple's platforms than keychain and prompts.
        .target(name: "ApplicationShim", dependencies: ["KeychainHost", "KeychainModel"]),
        .target(name: "SecurityDocCompat", dependencies: ["KeychainServices"]),

        // From plain text into the keychain; on the public interface alone.
        .target(
            name: "KeychainMigration",
            dependencies: ["KeychainServices", "CoreFoundation", "ApplicationShim"]
        ),

        // A device to hold in a test, and a command to hold in a terminal.
        .target(
            name: "KeychainSimulator",
            dependencies: [
                "KeychainModel", "KeychainEngine", "KeychainHost", "DataProtection", "Cryptography",
                "Secrets",
            ]
        ),
        .target(
            name: "DeviceScenarios",
            dependencies: [
                "KeychainSimulator", "KeychainServices", "KeychainAuthentication", "KeychainModel",
                "PlaintextStores", "CoreFoundation",
            ]
        ),
        .target(
            name: "KeychainCommand",
            dependencies: [
                "KeychainHost", "KeychainModel", "KeychainPrompts", "KeychainReferences",
                "Cryptography", "PlaintextStores", "Secrets",
            ]
        ),
        .executableTarget(
            name: "keychainctl",
            dependencies: ["KeychainCommand", "SecureElementTPM", "Secrets"]
        ),

        // Run for its answers by whatever asks for a finger: D-Bus stays out of other processes.
        .target(name: "SystemBus", dependencies: ["CSystemd"]),
        .executableTarget(
            name: "keychain-fingerprint",
            dependencies: ["CProcess", "SystemBus"]
        ),
        // Runs `keychainctl lock-keychain` when systemd-logind tells of sleep, logout or a lock.
        .executableTarget(name: "keychain-logind", dependencies: ["CProcess", "SystemBus"]),
        .target(
            name: "MigrationCommand",
            dependencies: [
                "KeychainCommand", "KeychainHost", "KeychainMigration", "KeychainModel",
                "Cryptography", "PlaintextStores", "Secrets", "SystemBus",
            ]
        ),
        .executableTarget(
            name: "keychain-migrate",
            dependencies: ["MigrationCommand", "KeychainCommand", "SecureElementTPM", "Secrets"]
        ),
        .target(
            name: "SimulationCommand",
            dependencies: ["DeviceScenarios", "KeychainCommand", "KeychainModel"]
        ),
        .executableTarget(
            name: "keychain-simulate",
            dependencies: ["SimulationCommand", "KeychainCommand", "Secrets"]
        ),

        // Proof.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        .target(
            name: "MigrationTestSupport",
            dependencies: ["KeychainMigration"],
            path: "Tests/MigrationTestSupport"
        ),
        .target(
            name: "ModelTestSupport",
            dependencies: ["KeychainModel"],
            path: "Tests/ModelTestSupport"
        ),
        .target(
            name: "EngineTestSupport",
            dependencies: [
                "KeychainHost", "KeychainEngine", "DataProtection", "KeychainModel", "Cryptography",
                "Secrets", "ModelTestSupport",
            ],
            path: "Tests/EngineTestSupport"
        ),
        .testTarget(
            name: "PlaintextStoresTests",
            dependencies: ["PlaintextStores", "Cryptography", "Secrets", "TestSupport"]
        ),
        .testTarget(name: "SecretsTests", dependencies: ["Secrets", "TestSupport"]),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography", "Secrets", "TestSupport"]
        ),
        .testTarget(
            name: "KeychainModelTests",
            dependencies: [
                "KeychainModel", "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
            ]
        ),
        .testTarget(
            name: "DataProtectionTests",
            dependencies: [
                "DataProtection", "KeychainModel", "Cryptography", "Secrets", "TestSupport",
            ]
        ),
        .testTarget(
            name: "SecureElementTPMTests",
            dependencies: [
                "SecureElementTPM", "KeychainCommand", "KeychainHost", "DataProtection",
                "KeychainModel", "Cryptography", "Secrets", "TestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainEngineTests",
            dependencies: [
                "KeychainEngine", "KeychainHost", "DataProtection", "KeychainModel", "Cryptography",
                "Secrets", "TestSupport", "ModelTestSupport", "EngineTestSupport",
                "keychain-torture",
            ],
            exclude: ["Fixtures", "Vectors"]
        ),
        .testTarget(
            name: "KeychainHostTests",
            dependencies: [
                "KeychainHost", "KeychainEngine", "DataProtection", "KeychainModel", "Cryptography",
                "Secrets", "TestSupport", "ModelTestSupport", "EngineTestSupport",
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "KeychainSimulator", "Security", "LocalAuthentication", "ApplicationShim",
                "SecurityDocCompat", "SecureEnclaveKeys", "KeychainHost", "KeychainModel",
                "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainMigrationTests",
            dependencies: [
                "KeychainMigration", "KeychainSimulator", "KeychainServices", "CoreFoundation",
                "ApplicationShim", "Cryptography", "TestSupport", "MigrationTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainCommandTests",
            dependencies: [
                "KeychainCommand", "KeychainHost", "KeychainEngine", "KeychainModel",
                "DataProtection", "Cryptography", "Secrets", "TestSupport", "MigrationCommand",
                "KeychainMigration", "MigrationTestSupport", "PlaintextStores", "keychainctl",
                "keychain-migrate",
            ],
            exclude: ["Fixtures", "Transcripts"]
        ),
        .testTarget(
            name: "KeychainPromptsTests",
            dependencies: [
                "KeychainPrompts", "KeychainHost", "KeychainEngine", "KeychainModel", "Secrets",
                "TestSupport", "ModelTestSupport", "keychainctl", "keychain-fingerprint",
                "keychain-logind",
                "fingerprint-mock", "logind-mock",
            ]
        ),
        .testTarget(
            name: "DeviceScenariosTests",
            dependencies: [
                "DeviceScenarios", "KeychainServices", "KeychainSimulator", "TestSupport",
                "keychainctl", "keychain-simulate",
            ]
        ),
        .testTarget(name: "SimulationTests", dependencies: ["KeychainSimulator", "TestSupport"]),
        .executableTarget(
            name: "fingerprint-mock",
            dependencies: ["CSystemd"],
            path: "Tools/FingerprintMock"
        ),
        .executableTarget(
            name: "logind-mock",
            dependencies: ["CSystemd"],
            path: "Tools/LogindMock"
        ),
        .target(name: "CDiskFaults", path: "Tools/CDiskFaults"),
        .target(name: "CMutexOrder", path: "Tools/CMutexOrder"),
        .executableTarget(
            name: "keychain-torture",
            dependencies: [
                "KeychainServices", "KeychainSimulator", "KeychainHost", "KeychainEngine",
                "KeychainMigration", "DataProtection", "KeychainModel", "Cryptography", "Secrets",
                "CDiskFaults", "CMutexOrder",
            ],
            path: "Tools/KeychainTorture"
        ),
        .target(
            name: "KeychainBenchmarkFloor",
            dependencies: ["CSQLite"],
            path: "Tools/KeychainBenchmarkFloor",
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .target(name: "KeychainBenchmarkCore", path: "Tools/KeychainBenchmarkCore"),
        .executableTarget(
            name: "keychain-benchmark",
            dependencies: [
                "KeychainServices", "KeychainHost", "KeychainEngine", "DataProtection",
                "KeychainModel", "Cryptography", "Secrets", "KeychainBenchmarkCore",
                "KeychainBenchmarkFloor", "keychainctl", "keychain-empty",
            ],
            path: "Tools/KeychainBenchmark"
        ),
        .executableTarget(
            name: "keychain-empty",
            dependencies: ["KeychainCommand"],
            path: "Tools/EmptyProgram"
        ),
        .testTarget(name: "KeychainBenchmarkTests", dependencies: ["KeychainBenchmarkCore"]),
        .target(
            name: "ConformanceLedgerCore",
            dependencies: ["KeychainModel"],
            path: "Tools/ConformanceLedgerCore"
        ),
        .executableTarget(
            name: "conformance-ledger",
            dependencies: ["ConformanceLedgerCore"],
            path: "Tools/ConformanceLedger"
        ),
        .testTarget(
            name: "ConformanceLedgerTests",
            dependencies: ["ConformanceLedgerCore", "KeychainModel", "TestSupport"]
        ),
        .testTarget(
            name: "TidyTests",
            dependencies: ["ConformanceLedgerCore", "KeychainModel", "TestSupport"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Fuzz/README.md: the parsers' targets are a test that replays the corpus, or, where this variable
// is set, a program that libFuzzer drives. Both see what a room keeps to itself.
let fuzzedRooms: [Target.Dependency] = [
    "Cryptography", "DataProtection", "DeviceScenarios", "KeychainCommand", "KeychainEngine",
    "KeychainHost", "KeychainModel", "PlaintextStores", "Secrets",
]
if Context.environment["KEYCHAIN_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzCorpusTests",
            dependencies: fuzzedRooms,
            path: "Fuzz",
            exclude: [
                "Corpus", "README.md", "smoke.sh", "Sources/CFuzzDriver", "Sources/keychain-fuzz",
            ],
            sources: ["Sources/FuzzTargets", "Tests"]
        )
    )
} else {
    package.targets += [
        .target(name: "CFuzzDriver", path: "Fuzz/Sources/CFuzzDriver"),
        .executableTarget(
            name: "keychain-fuzz",
            dependencies: fuzzedRooms + ["CFuzzDriver"],
            path: "Fuzz",
            exclude: ["Corpus", "README.md", "smoke.sh", "Sources/CFuzzDriver", "Tests"],
            sources: ["Sources/FuzzTargets", "Sources/keychain-fuzz"]
        ),
    ]
}
