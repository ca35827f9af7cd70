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
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "SwiftUI", targets: ["SwiftUI"]),
        .library(name: "os", targets: ["os"]),
        .library(name: "OSLog", targets: ["OSLog"]),
        .library(name: "CryptoKit", targets: ["CryptoKit"]),
        .library(name: "CommonCrypto", targets: ["CommonCrypto"]),
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "AuthenticationServices", targets: ["AuthenticationServices"]),
        .library(name: "KeychainMigration", targets: ["KeychainMigration"]),
        .library(name: "Vault", targets: ["Vault"]),
        .library(name: "VaultTesting", targets: ["VaultTesting"]),
        .library(name: "FileProtection", targets: ["FileProtection"]),
        .library(name: "ProtectedFoundation", targets: ["ProtectedFoundation"]),
        .executable(name: "keychainctl", targets: ["keychainctl"]),
        .executable(name: "keychain-fingerprint", targets: ["keychain-fingerprint"]),
        .executable(name: "keychain-logind", targets: ["keychain-logind"]),
        .executable(name: "keychain-doors", targets: ["keychain-doors"]),
        .executable(name: "keychain-migrate", targets: ["keychain-migrate"]),
        .executable(name: "keychain-simulate", targets: ["keychain-simulate"]),
        .executable(name: "keychain-sync", targets: ["keychain-sync"]),
        .executable(name: "keychain-relay", targets: ["keychain-relay"]),
        .executable(name: "keychain-tpm", targets: ["keychain-tpm"]),
        .executable(name: "keychain-bus", targets: ["keychain-bus"]),
        .executable(name: "keychaind", targets: ["keychaind"]),
        .executable(name: "keychain-witness", targets: ["keychain-witness"]),
        .executable(name: "keychain-agent", targets: ["keychain-agent"]),
        .executable(name: "keychain-pam", targets: ["keychain-pam"]),
        .executable(name: "keychain-ssh-agent", targets: ["keychain-ssh-agent"]),
        .executable(name: "keychain-secret-service", targets: ["keychain-secret-service"]),
        .executable(name: "keychain-browser", targets: ["keychain-browser"]),
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
        // Headers alone, like those above.
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // A header alone, of types and numbers; nothing is linked.
        .systemLibrary(name: "CPKCS11", providers: [.apt(["libp11-kit-dev"])]),
        .target(name: "CFileFacts"),
        .systemLibrary(
            name: "CDomainNames",
            pkgConfig: "libpsl",
            providers: [.apt(["libpsl-dev", "libidn2-dev"])]
        ),
        .target(name: "CProcess"),
        .target(name: "CSocket"),
        .target(name: "CWitness"),
        .target(
            name: "CCrypto",
            linkerSettings: [.linkedLibrary("crypto"), .linkedLibrary("argon2")]
        ),

        // Foundations.
        .target(name: "CoreFoundation"),
        .target(name: "Secrets", dependencies: ["CProcess"]),
        .target(name: "ProgramStart", dependencies: ["Secrets", "CProcess"]),
        .target(name: "KeychainModel", dependencies: ["Secrets"]),
        .target(name: "CallerEvidence", dependencies: ["KeychainModel", "JSON"]),
        .target(
            name: "KeychainMessages",
            dependencies: ["CallerEvidence", "KeychainModel", "Secrets"]
        ),
        .target(name: "JSON"),
        .target(name: "PlaintextFormats", dependencies: ["JSON", "Secrets"]),
        .target(name: "Cryptography", dependencies: ["CCrypto", "Secrets"]),
        .target(
            name: "KeyRepresentation",
            dependencies: ["KeychainModel", "Cryptography", "Secrets"]
        ),

        .target(
            name: "StoredKeys",
            dependencies: [
                "KeyRepresentation", "KeychainMessages", "KeychainModel", "Cryptography", "Secrets",
            ]
        ),

        // Keys and messages of the SSH agent protocol, and the agent as a value; then the SSH keys
        // of a keychain.
        .target(
            name: "SSHAgentProtocol",
            dependencies: ["Cryptography", "PlaintextFormats", "Secrets"]
        ),
        .target(
            name: "SSHKeys",
            dependencies: [
                "SSHAgentProtocol", "StoredKeys", "KeyRepresentation", "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets",
            ]
        ),

        // Between processes: bytes of messages, sockets, and what the kernel says of a process.
        .target(
            name: "KeychainWire",
            dependencies: ["CallerEvidence", "KeychainMessages", "KeychainModel", "Secrets"]
        ),
        .target(name: "KeychainSockets", dependencies: ["CSocket", "Secrets"]),
        .target(
            name: "MessageTransport",
            dependencies: [
                "KeychainWire", "KeychainSockets", "KeychainMessages", "KeychainModel", "Secrets",
            ]
        ),
        .target(
            name: "ProcessWitness",
            dependencies: [
                "CWitness", "CallerEvidence", "KeychainSockets", "Cryptography", "Secrets",
            ]
        ),

        .target(
            name: "KeychainServer",
            dependencies: [
                "MessageTransport", "KeychainWire", "KeychainSockets", "ProcessWitness",
                "CallerEvidence", "KeychainMessages", "KeychainModel", "Secrets",
            ]
        ),

        // Data protection.
        .target(
            name: "DataProtection",
            dependencies: ["KeychainModel", "Cryptography", "Secrets"]
        ),

        // The engine, and this machine.
        .target(
            name: "KeychainEngine",
            dependencies: [
                "KeychainMessages", "KeychainModel", "Cryptography", "DataProtection", "Secrets",
                "CSQLite",
            ]
        ),
        .target(
            name: "KeychainPrompts",
            dependencies: ["KeychainModel", "ProgramStart", "Secrets"]
        ),
        .target(
            name: "KeychainHost",
            dependencies: [
                "KeychainMessages", "KeychainModel", "KeychainEngine", "KeychainPrompts",
                "MessageTransport", "KeychainWire", "KeychainSockets", "CallerEvidence",
                "DataProtection", "ProgramStart", "Cryptography", "Secrets",
            ]
        ),

        // Files that lock with the device.
        .target(
            name: "ProtectedFiles",
            dependencies: [
                "CFileFacts", "KeychainMessages", "KeychainModel", "Cryptography", "Secrets",
            ]
        ),

        // For other people's programs whose keychain is on a TPM; then the program that ours start,
        // because they load nothing that an account can name.
        .target(
            name: "SecureElementTPM",
            dependencies: ["KeychainHost", "DataProtection", "Secrets", "CTSS"]
        ),
        .executableTarget(
            name: "keychain-tpm",
            dependencies: [
                "SecureElementTPM", "KeychainHost", "DataProtection", "KeychainModel", "Secrets",
            ]
        ),

        // Apple's API.
        .target(
            name: "KeychainServices",
            dependencies: [
                "CoreFoundation", "KeychainMessages", "KeychainModel", "KeychainHost",
                "KeyRepresentation", "StoredKeys", "Cryptography", "Secrets",
            ]
        ),
        .target(
            name: "KeychainAuthentication",
            dependencies: [
                "KeychainServices", "KeychainHost", "KeychainMessages", "KeychainModel",
                "CoreFoundation", "Secrets",
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
                "KeychainAuthentication", "KeychainServices", "KeychainHost", "KeychainMessages",
                "KeychainModel", "KeyRepresentation", "StoredKeys", "Cryptography",
                "CoreFoundation", "Secrets",
            ]
        ),

        // Files that lock with the device, with Apple's names; then Foundation with the names that
        // it has and ignores, which is imported in its place.
        .target(
            name: "FileProtection",
            dependencies: [
                "ProtectedFiles", "KeychainServices", "KeychainHost", "KeychainMessages",
                "KeychainModel", "CoreFoundation", "Cryptography", "Secrets",
            ]
        ),
        .target(name: "ProtectedFoundation", dependencies: ["FileProtection"]),

        // For code that needs a little more of Apple's platforms than keychain and prompts.
        .target(name: "ApplicationShim", dependencies: ["KeychainHost", "KeychainModel"]),
        .target(name: "SecurityDocCompat", dependencies: ["KeychainServices"]),

        // Names of Apple's other modules, for sources of apps: Documentation/Shims.md. No target
        // depends on them, because they switch on `#if canImport(UIKit)` like Security does.
        .target(name: "UIKit", dependencies: ["ApplicationShim", "_Testing_UIKit"]),
        .target(name: "_Testing_UIKit"),
        .target(name: "SwiftUI", dependencies: ["UIKit", "Combine"]),
        .target(name: "CommonCrypto", dependencies: ["Cryptography"]),
        // Headers without content: `import os.log` names a part of a module of C, and the compiler
        // adds the Swift module `os` to it.
        .systemLibrary(name: "COSModules"),
        .target(name: "os", dependencies: ["Cryptography", "Secrets", "COSModules"]),
        .target(name: "OSLog", dependencies: ["os"]),
        .target(name: "Combine"),
        .target(
            name: "AuthenticationServices",
            dependencies: ["CoreFoundation", "AutoFill", "KeychainHost"]
        ),
        .target(
            name: "CryptoKit",
            dependencies: [
                "SecureEnclaveKeys", "KeychainAuthentication", "KeychainServices",
                "PlaintextFormats", "Cryptography", "Secrets",
            ]
        ),

        // Typed items, and from plain text into the keychain; on the public interface alone.
        .target(name: "KeychainItems", dependencies: ["KeychainServices", "CoreFoundation"]),
        .target(
            name: "KeychainMigration",
            dependencies: [
                "Vault", "KeychainItems", "KeychainServices", "CoreFoundation", "ApplicationShim",
                "JSON", "ProtectedFiles",
            ]
        ),

        // Typed items, queries and errors; on the public interface alone. Then a device for each test.
        .target(
            name: "Vault",
            dependencies: ["KeychainServices", "KeychainAuthentication", "CoreFoundation"]
        ),
        .target(
            name: "VaultTesting",
            dependencies: ["Vault", "KeychainSimulator", "KeychainHost", "KeychainModel"]
        ),

        // Which item fits a page or an app; then what tools of the web ask for, without a terminal.
        .target(name: "AutoFill", dependencies: ["CDomainNames", "JSON", "PlaintextFormats"]),
        .target(
            name: "WebCredentials",
            dependencies: [
                "AutoFill", "KeychainMessages", "KeychainModel", "PlaintextFormats", "Secrets",
            ]
        ),

        // A device to hold in a test, and a command to hold in a terminal.
        .target(
            name: "KeychainSimulator",
            dependencies: [
                "AutoFill", "WebCredentials", "KeychainMessages", "KeychainModel", "KeychainEngine",
                "KeychainHost", "KeychainSync", "KeychainSyncDriver", "SyncRelay",
                "DataProtection", "ProtectedFiles", "Cryptography", "Secrets",
            ]
        ),
        .target(
            name: "ScenarioRunner",
            dependencies: [
                "KeychainSimulator", "KeychainServices", "KeychainAuthentication", "KeychainHost",
                "KeychainMessages", "KeychainModel", "ProtectedFiles", "JSON", "Cryptography",
                "Secrets", "CoreFoundation",
            ]
        ),
        .target(
            name: "KeychainCommand",
            dependencies: [
                "CallerEvidence", "KeychainHost", "KeychainMessages", "KeychainModel",
                "KeychainPrompts", "KeychainSockets", "ProgramStart",
                "KeyRepresentation", "Cryptography", "JSON", "PlaintextFormats", "ProcessWitness",
                "AutoFill", "ProtectedFiles", "Secrets", "WebCredentials", "SSHAgentProtocol",
                "SSHKeys",
            ]
        ),
        .executableTarget(
            name: "keychainctl",
            dependencies: ["KeychainCommand", "KeychainHost", "Secrets"]
        ),

        // Synchronization: the machine and its bytes, the relays, and what connects them with a
        // keychain.
        .target(name: "KeychainSync", dependencies: ["Cryptography", "Secrets"]),
        .target(
            name: "SyncRelay",
            dependencies: ["KeychainSync", "KeychainSockets", "CFileFacts"]
        ),
        .target(name: "RelayLibraries", dependencies: ["SyncRelay"]),
        .target(
            name: "PostgreSQLRelay",
            dependencies: [
                "RelayLibraries", "SyncRelay", "KeychainSync", "KeychainSockets", "CPostgreSQL",
            ]
        ),
        .target(
            name: "EtcdRelay",
            dependencies: [
                "RelayLibraries", "SyncRelay", "KeychainSync", "KeychainSockets", "Cryptography",
                "JSON", "CCurl",
            ]
        ),
        .target(
            name: "RemoteRelay",
            dependencies: ["SyncRelay", "KeychainSync", "KeychainSockets", "ProgramStart"]
        ),
        .target(
            name: "KeychainSyncDriver",
            dependencies: [
                "KeychainSync", "SyncRelay", "StoredKeys", "KeyRepresentation", "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets",
            ]
        ),

        .executableTarget(
            name: "keychain-sync",
            dependencies: [
                "KeychainSyncDriver", "KeychainSync", "SyncRelay", "RemoteRelay",
                "KeychainCommand", "KeychainHost", "KeychainModel", "JSON", "Cryptography",
                "Secrets",
            ]
        ),
        .executableTarget(
            name: "keychain-relay",
            dependencies: [
                "RemoteRelay", "SyncRelay", "PostgreSQLRelay", "EtcdRelay", "KeychainSockets",
                "Secrets",
            ]
        ),

        // The daemon, and the processes around it.
        .target(
            name: "KeychainAudit",
            dependencies: [
                "CallerEvidence", "KeychainMessages", "KeychainModel", "Cryptography", "Secrets",
            ]
        ),
        .target(name: "LoginEvents", dependencies: ["SystemBus"]),
        .target(
            name: "KeychainDaemon",
            dependencies: [
                "KeychainHost", "KeychainEngine", "KeychainMessages", "KeychainModel",
                "KeychainPrompts", "KeychainServer", "KeychainWire", "KeychainSockets",
                "KeychainAudit", "CallerEvidence", "ProcessWitness", "LoginEvents", "SystemBus",
                "DataProtection", "Cryptography", "JSON", "Secrets", "CProcess", "CSystemd",
            ]
        ),
        .executableTarget(
            name: "keychaind",
            dependencies: ["KeychainDaemon", "KeychainHost", "Secrets"]
        ),
        .executableTarget(
            name: "keychain-witness",
            dependencies: ["ProcessWitness", "KeychainSockets", "Secrets"]
        ),
        .executableTarget(
            name: "keychain-agent",
            dependencies: [
                "KeychainPrompts", "MessageTransport", "KeychainWire", "CallerEvidence",
                "KeychainModel", "Secrets",
            ]
        ),

        .executableTarget(
            name: "keychain-ssh-agent",
            dependencies: [
                "SSHAgentProtocol", "SSHKeys", "KeychainHost", "KeychainMessages", "KeychainModel",
                "KeychainPrompts", "KeychainSockets", "ProgramStart", "Cryptography", "Secrets",
                "CProcess",
            ]
        ),

        // The library that other people's programs load for PKCS #11: the objects and operations of
        // a token, and the wall of pointers in front of them.
        .target(
            name: "PKCS11Token",
            dependencies: [
                "KeyRepresentation", "KeychainMessages", "KeychainModel", "StoredKeys",
                "Cryptography", "Secrets",
            ]
        ),
        .target(name: "PKCS11Functions"),
        .target(
            name: "keychain-pkcs11",
            dependencies: [
                "PKCS11Token", "PKCS11Functions", "CPKCS11", "KeychainHost", "KeychainMessages",
                "KeychainModel", "KeychainPrompts", "Cryptography", "Secrets",
            ]
        ),

        // A PAM module in C, so that no Swift runs in what logs people in, and the program
        // that it starts.
        .target(name: "PAMKeychain", linkerSettings: [.linkedLibrary("pam")]),
        .executableTarget(
            name: "keychain-pam",
            dependencies: [
                "KeychainHost", "KeychainMessages", "KeychainModel", "MessageTransport", "Secrets",
            ]
        ),

        // Run for its answers by whatever asks for a finger: D-Bus stays out of other processes.
        .target(name: "SystemBus", dependencies: ["CSystemd"]),
        .executableTarget(
            name: "keychain-fingerprint",
            dependencies: ["CProcess", "SystemBus"]
        ),
        // Runs `keychainctl lock-keychain` when systemd-logind tells of sleep, logout or a lock.
        .executableTarget(
            name: "keychain-logind",
            dependencies: ["CProcess", "LoginEvents", "ProgramStart", "SystemBus"]
        ),
        .executableTarget(
            name: "keychain-doors",
            dependencies: ["JSON", "KeychainCommand", "KeychainHost", "Secrets", "SystemBus"]
        ),
        .executableTarget(
            name: "keychain-migrate",
            dependencies: [
                "KeychainCommand", "KeychainHost", "KeychainMessages", "KeychainMigration",
                "KeychainModel", "SecretServiceClient", "SecretServiceNames", "Cryptography",
                "PlaintextFormats", "Secrets", "WebCredentials",
            ]
        ),
        // The desktop's store of passwords; then the program that talks to its bus, because those
        // that have rights talk to no bus that their account names.
        .target(
            name: "SecretServiceClient",
            dependencies: ["KeychainMigration", "ProgramStart"]
        ),
        .executableTarget(
            name: "keychain-bus",
            dependencies: [
                "SecretServiceClient", "KeychainHost", "KeychainMigration", "KeychainModel",
                "Secrets", "SystemBus",
            ]
        ),
        // The door for programs that use D-Bus's Secret Service.
        .target(name: "SecretServiceProtocol", dependencies: ["Cryptography", "Secrets"]),
        .target(
            name: "SecretServiceNames",
            dependencies: ["SecretServiceProtocol", "KeychainModel"]
        ),
        .target(
            name: "KeychainSecretService",
            dependencies: [
                "SecretServiceNames", "SecretServiceProtocol", "SystemBus", "KeychainHost",
                "KeychainMessages", "KeychainModel", "KeychainPrompts", "Cryptography", "Secrets",
                "CProcess",
            ]
        ),
        .executableTarget(
            name: "keychain-secret-service",
            dependencies: ["KeychainSecretService", "KeychainHost", "Secrets"]
        ),
        // The door for web browsers: messages in and out; then the program that browsers start.
        .target(
            name: "BrowserDoor",
            dependencies: [
                "AutoFill", "JSON", "KeychainMessages", "KeychainModel", "Secrets",
                "WebCredentials",
            ]
        ),
        .executableTarget(
            name: "keychain-browser",
            dependencies: [
                "BrowserDoor", "KeychainHost", "KeychainMessages", "KeychainModel", "Secrets",
                "CProcess",
            ]
        ),
        .executableTarget(
            name: "keychain-simulate",
            dependencies: [
                "ScenarioRunner", "KeychainCommand", "KeychainHost", "KeychainServer",
                "KeychainSockets", "KeychainWire", "MessageTransport", "ProcessWitness",
                "CallerEvidence", "KeychainMessages", "KeychainModel", "Secrets",
            ]
        ),

        // Tests and their tools.
        .target(
            name: "TestSupport",
            dependencies: ["ProgramStart", "CProcess"],
            path: "Tests/TestSupport"
        ),
        .target(name: "CConformanceStart", path: "Tests/CConformanceStart"),
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
                "KeychainHost", "KeychainEngine", "DataProtection", "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets", "ModelTestSupport",
            ],
            path: "Tests/EngineTestSupport"
        ),
        .target(
            name: "MessageTestSupport",
            dependencies: ["CallerEvidence", "KeychainMessages", "KeychainModel", "Secrets"],
            path: "Tests/MessageTestSupport"
        ),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "Cryptography", "TestSupport"]),
        .testTarget(
            name: "PlaintextFormatsTests",
            dependencies: ["PlaintextFormats", "Cryptography", "Secrets", "TestSupport"]
        ),
        .testTarget(
            name: "StoredKeysTests",
            dependencies: [
                "StoredKeys", "KeyRepresentation", "KeychainMessages", "KeychainModel",
                "Cryptography", "Secrets", "TestSupport",
            ]
        ),
        .testTarget(
            name: "SSHAgentProtocolTests",
            dependencies: ["SSHAgentProtocol", "Cryptography", "Secrets", "TestSupport"],
            exclude: ["Fixtures"]
        ),
        .testTarget(
            name: "SSHAgentTests",
            dependencies: ["keychain-ssh-agent", "keychainctl", "TestSupport"]
        ),
        .testTarget(
            name: "AutoFillTests",
            dependencies: [
                "AutoFill", "AuthenticationServices", "KeychainServices", "KeychainSimulator",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "WebCredentialsTests",
            dependencies: [
                "WebCredentials", "KeychainMessages", "KeychainModel", "Secrets", "TestSupport",
            ]
        ),
        .testTarget(
            name: "BrowserDoorTests",
            dependencies: [
                "BrowserDoor", "Cryptography", "JSON", "KeychainMessages", "KeychainModel",
                "Secrets", "TestSupport", "keychain-browser", "keychainctl",
            ]
        ),
        .testTarget(
            name: "KeychainWireTests",
            dependencies: [
                "KeychainWire", "CallerEvidence", "KeychainMessages", "KeychainModel", "Secrets",
                "TestSupport", "ModelTestSupport", "MessageTestSupport",
            ],
            exclude: ["Vectors"]
        ),
        .testTarget(
            name: "KeychainSocketsTests",
            dependencies: ["KeychainSockets", "Secrets", "TestSupport"]
        ),
        .testTarget(
            name: "KeychainServerTests",
            dependencies: [
                "KeychainServer", "MessageTransport", "KeychainWire", "KeychainSockets",
                "ProcessWitness", "CallerEvidence", "KeychainMessages", "KeychainModel", "Secrets",
                "TestSupport", "ModelTestSupport",
            ]
        ),
        .testTarget(
            name: "CallerEvidenceTests",
            dependencies: [
                "CallerEvidence", "ProcessWitness", "KeychainSockets", "KeychainModel",
                "Cryptography", "Secrets", "TestSupport", "keychain-witness",
            ]
        ),
        .testTarget(
            name: "KeychainAuditTests",
            dependencies: [
                "KeychainAudit", "CallerEvidence", "KeychainMessages", "KeychainModel",
                "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainDaemonTests",
            dependencies: [
                "KeychainDaemon", "KeychainAudit", "KeychainHost", "KeychainEngine",
                "KeychainMessages", "KeychainModel", "KeychainPrompts", "KeychainWire",
                "KeychainSockets", "CallerEvidence", "ProcessWitness", "LoginEvents", "SystemBus",
                "DataProtection", "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
                "EngineTestSupport", "MessageTestSupport", "keychaind", "keychain-witness",
                "keychain-agent", "keychainctl", "logind-mock", "keychain-pam", "PAMKeychain",
                "KeychainCommand", "keychain-migrate", "keychain-ssh-agent", "keychain-sync",
                "keychain-tpm",
                "keychain-bus", "keychain-doors", "keychain-relay", "keychain-fingerprint",
                "keychain-logind", "keychain-simulate",
            ]
        ),
        .testTarget(
            name: "PKCS11TokenTests",
            dependencies: [
                "PKCS11Token", "KeychainHost", "KeychainMessages", "KeychainModel", "Cryptography",
                "Secrets", "TestSupport", "ModelTestSupport", "EngineTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainPKCS11Tests",
            dependencies: [
                "keychain-pkcs11", "pkcs11-client", "keychainctl", "keychaind", "TestSupport",
            ]
        ),
        .testTarget(name: "SecretsTests", dependencies: ["Secrets", "TestSupport"]),
        .testTarget(
            name: "ProgramStartTests",
            dependencies: ["ProgramStart", "Secrets", "TestSupport"]
        ),
        .testTarget(
            name: "CryptographyTests",
            dependencies: ["Cryptography", "Secrets", "TestSupport"]
        ),
        .testTarget(
            name: "SecretServiceProtocolTests",
            dependencies: ["SecretServiceProtocol", "Cryptography", "Secrets", "TestSupport"]
        ),
        .testTarget(
            name: "KeychainSecretServiceTests",
            dependencies: [
                "KeychainSecretService", "SecretServiceProtocol", "KeychainMessages",
                "KeychainSockets", "KeychainModel", "Cryptography", "Secrets", "EngineTestSupport",
                "ModelTestSupport", "TestSupport", "keychain-secret-service", "keychain-doors",
                "keychainctl",
            ]
        ),
        .testTarget(
            name: "KeychainModelTests",
            dependencies: [
                "KeychainModel", "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainMessagesTests",
            dependencies: [
                "KeychainMessages", "KeychainModel", "Secrets", "MessageTestSupport", "TestSupport",
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
                "KeychainModel", "Cryptography", "Secrets", "TestSupport", "keychaind",
                "keychainctl", "keychain-tpm",
            ]
        ),
        .testTarget(
            name: "KeychainEngineTests",
            dependencies: [
                "KeychainEngine", "KeychainHost", "DataProtection", "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
                "EngineTestSupport",
            ],
            exclude: ["Fixtures", "Vectors"]
        ),
        .testTarget(
            name: "KeychainTortureTests",
            dependencies: [
                "keychain-torture", "KeychainEngine", "KeychainModel", "TestSupport",
                "EngineTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainHostTests",
            dependencies: [
                "MessageTransport", "KeychainSockets", "KeychainWire",
                "KeychainHost", "ProgramStart", "KeychainEngine", "DataProtection",
                "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
                "EngineTestSupport",
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "CConformanceStart", "KeychainDaemon", "KeychainServer", "KeychainSockets",
                "KeychainEngine", "KeychainMessages", "ProcessWitness", "CallerEvidence",
                "keychain-witness",
                "KeychainSimulator", "Security", "LocalAuthentication", "ApplicationShim",
                "SecurityDocCompat", "SecureEnclaveKeys", "KeychainHost", "KeychainModel",
                "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainMigrationTests",
            dependencies: [
                "Vault", "KeychainItems", "KeychainMigration", "KeychainSimulator",
                "KeychainServices",
                "CoreFoundation", "ApplicationShim", "Cryptography", "TestSupport",
                "MigrationTestSupport",
            ]
        ),
        .testTarget(
            name: "VaultTests",
            dependencies: [
                "Vault", "VaultTesting", "VaultExamples", "KeychainSimulator", "KeychainServices",
                "KeychainAuthentication", "TestSupport",
            ],
            exclude: ["CompileFail"]
        ),
        .testTarget(
            name: "KeychainCommandTests",
            dependencies: [
                "KeychainCommand", "CallerEvidence", "KeychainHost", "KeychainEngine",
                "KeychainMessages",
                "KeychainModel", "DataProtection", "Cryptography", "Secrets", "TestSupport",
                "KeychainMigration", "MigrationTestSupport", "ProtectedFiles", "PlaintextFormats",
                "SecretServiceClient",
                "keychainctl", "keychain-migrate", "keychain-secret-service", "keychain-sync",
                "keychain-tpm", "keychain-bus",
            ],
            exclude: ["Fixtures", "Transcripts"]
        ),
        .testTarget(
            name: "KeychainPromptsTests",
            dependencies: [
                "Cryptography", "KeychainPrompts", "KeychainHost", "KeychainEngine",
                "KeychainModel", "Secrets", "TestSupport", "ModelTestSupport", "keychainctl",
                "keychain-fingerprint", "keychain-logind", "fingerprint-mock", "logind-mock",
            ]
        ),
        .testTarget(
            name: "ScenarioRunnerTests",
            dependencies: [
                "ScenarioRunner", "KeychainServices", "KeychainSimulator", "KeychainHost",
                "KeychainMessages", "KeychainModel", "TestSupport", "ModelTestSupport",
                "keychainctl", "keychain-simulate",
            ]
        ),
        .testTarget(
            name: "ShimTests",
            dependencies: [
                "UIKit", "SwiftUI", "os", "OSLog", "CommonCrypto", "CryptoKit", "Combine",
                "AuthenticationServices", "KeychainSimulator", "Security", "LocalAuthentication",
                "Secrets", "TestSupport",
            ]
        ),
        .testTarget(
            name: "FileProtectionTests",
            dependencies: [
                "FileProtection", "ProtectedFoundation", "ProtectedFiles", "KeychainSimulator",
                "KeychainEngine", "DataProtection", "Security", "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets", "TestSupport",
            ],
            // One file imports ProtectedFoundation in place of Foundation; the others do not see it.
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: [
                "KeychainSimulator", "KeychainServices", "FileProtection", "TestSupport",
                "ModelTestSupport",
            ]
        ),
        .testTarget(
            name: "KeychainSyncTests",
            dependencies: [
                "keychain-sync-scale", "keychain-sync-simulation", "KeychainSync", "SyncRelay",
                "PostgreSQLRelay", "RelayLibraries", "EtcdRelay", "RemoteRelay", "keychain-relay",
                "keychain-sync", "KeychainSyncDriver", "KeychainCommand", "JSON",
                "keychainctl", "KeychainSockets", "Cryptography", "Secrets", "TestSupport",
            ]
        ),
        .testTarget(
            name: "CircleTests",
            dependencies: ["KeychainSync", "Cryptography", "Secrets", "TestSupport"]
        ),
        .testTarget(
            name: "KeychainSyncDriverTests",
            dependencies: [
                "KeychainSyncDriver", "KeychainSync", "SyncRelay", "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets", "TestSupport", "ModelTestSupport",
                "EngineTestSupport",
            ]
        ),
        // What the documents show: code as apps contain it, right and wrong.
        .target(
            name: "KeychainPatterns",
            dependencies: ["Security", "LocalAuthentication", "ApplicationShim"],
            path: "Examples/Patterns"
        ),
        .target(
            name: "KeychainMistakes",
            dependencies: ["Security", "LocalAuthentication"],
            path: "Examples/Mistakes"
        ),
        .target(
            name: "VaultExamples",
            dependencies: ["Vault", "Security", "LocalAuthentication"],
            path: "Examples/Vault"
        ),
        .testTarget(
            name: "PatternTests",
            dependencies: [
                "KeychainPatterns", "KeychainMistakes", "KeychainSimulator", "Security",
                "LocalAuthentication", "KeychainMigration", "FileProtection", "Vault",
                "TestSupport",
            ]
        ),
        .executableTarget(
            name: "fingerprint-mock",
            dependencies: ["CSystemd"],
            path: "Tools/FingerprintMock"
        ),
        .executableTarget(
            name: "logind-mock",
            dependencies: ["CProcess", "CSystemd"],
            path: "Tools/LogindMock"
        ),
        .executableTarget(
            name: "pkcs11-client",
            path: "Tools/PKCS11Client",
            linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("pthread")]
        ),
        .target(name: "CDiskFaults", path: "Tools/CDiskFaults"),
        .target(name: "CMutexOrder", path: "Tools/CMutexOrder"),
        .executableTarget(
            name: "keychain-torture",
            dependencies: [
                "KeychainServices", "KeychainSimulator", "KeychainHost", "KeychainEngine",
                "KeychainMigration", "KeychainAudit", "DataProtection", "KeychainMessages",
                "KeychainModel", "KeychainWire", "KeychainSockets", "MessageTransport",
                "ProtectedFiles", "ProgramStart", "Vault", "Cryptography", "Secrets",
                "CDiskFaults", "CMutexOrder", "CProcess",
                "keychaind",
                "keychain-witness", "keychain-agent",
            ],
            path: "Tools/KeychainTorture"
        ),
        .executableTarget(
            name: "keychain-file-speed",
            dependencies: [
                "ProtectedFiles", "KeychainMessages", "KeychainModel", "Cryptography", "Secrets",
            ],
            path: "Tools/FileSpeed"
        ),
        .executableTarget(
            name: "keychain-relay-speed",
            dependencies: [
                "SyncRelay", "PostgreSQLRelay", "EtcdRelay", "KeychainSync", "KeychainSockets",
            ],
            path: "Tools/RelaySpeed",
            exclude: ["Floor"]
        ),
        // It links libpq, which it compares the relay with.
        .executableTarget(
            name: "keychain-sync-scale",
            dependencies: [
                "KeychainSyncDriver", "KeychainSync", "SyncRelay", "PostgreSQLRelay",
                "KeychainEngine", "KeychainHost", "KeychainMessages", "KeychainModel",
                "KeychainSockets", "DataProtection", "Cryptography", "Secrets", "CPostgreSQL",
            ],
            path: "Tools/SyncScale",
            linkerSettings: [.linkedLibrary("pq")]
        ),
        .target(
            name: "KeychainBenchmarkFloor",
            dependencies: ["CSQLite"],
            path: "Tools/KeychainBenchmarkFloor",
            linkerSettings: [.linkedLibrary("crypto")]
        ),
        .executableTarget(
            name: "keychain-benchmark",
            dependencies: [
                "KeychainServices", "KeychainHost", "KeychainEngine", "DataProtection",
                "KeychainMessages", "KeychainModel", "KeychainWire", "MessageTransport",
                "Cryptography", "ProgramStart", "Secrets", "CProcess", "KeychainBenchmarkFloor",
                "keychainctl", "keychaind",
                "keychain-empty",
            ],
            path: "Tools/KeychainBenchmark"
        ),
        .executableTarget(
            name: "keychain-empty",
            dependencies: ["KeychainCommand"],
            path: "Tools/EmptyProgram"
        ),
        .testTarget(
            name: "KeychainBenchmarkTests",
            dependencies: ["keychain-benchmark", "TestSupport"]
        ),
        .executableTarget(
            name: "conformance-ledger",
            dependencies: ["KeychainModel"],
            path: "Tools/ConformanceLedger"
        ),
        .executableTarget(
            name: "keychain-sync-simulation",
            dependencies: [
                "KeychainSyncDriver", "KeychainSync", "SyncRelay", "KeychainMessages",
                "KeychainModel", "Cryptography", "Secrets",
            ],
            path: "Tools/SyncSimulation"
        ),
        .testTarget(
            name: "ConformanceLedgerTests",
            dependencies: ["conformance-ledger", "KeychainModel", "TestSupport"]
        ),
        .testTarget(
            name: "TidyTests",
            dependencies: ["conformance-ledger", "KeychainModel", "TestSupport"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Fuzz/README.md: the parsers' targets are a test that replays the corpus, or, where this variable
// is set, a program that libFuzzer drives. Both see internal names.
let fuzzedTargets: [Target.Dependency] = [
    "AutoFill", "CallerEvidence", "Cryptography", "DataProtection", "EtcdRelay",
    "KeychainAudit", "KeychainCommand", "KeychainDaemon", "KeychainEngine", "KeychainHost",
    "KeychainMessages", "KeychainModel", "KeychainSync", "KeychainWire", "PKCS11Token",
    "PlaintextFormats", "ProcessWitness", "ProtectedFiles", "RemoteRelay", "SSHAgentProtocol",
    "ScenarioRunner", "SecretServiceProtocol", "Secrets", "SyncRelay",
]
if Context.environment["KEYCHAIN_FUZZ"] == nil {
    package.targets.append(
        .testTarget(
            name: "FuzzCorpusTests",
            dependencies: fuzzedTargets,
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
            dependencies: fuzzedTargets + ["CFuzzDriver"],
            path: "Fuzz",
            exclude: ["Corpus", "README.md", "smoke.sh", "Sources/CFuzzDriver", "Tests"],
            sources: ["Sources/FuzzTargets", "Sources/keychain-fuzz"]
        ),
    ]
}

// SwiftPM cannot link a dynamic library while `--static-swift-stdlib` is given, so this one is made
// only where it is asked for: by Scripts/pkcs11-library.sh and, for its tests, by Scripts/test.sh.
if Context.environment["KEYCHAIN_PKCS11"] != nil {
    package.products.append(
        .library(name: "keychain-pkcs11", type: .dynamic, targets: ["keychain-pkcs11"])
    )
}

// CONTRIBUTING.md: the targets that `KEYCHAIN_TARGETS` names, and what they need. `swift test`
// builds every test target of a package; with this it builds those of one concern.
if let names = Context.environment["KEYCHAIN_TARGETS"] {
    var wanted: Set<String> = []
    var next = names.split(separator: ",").map(String.init)
    while let name = next.popLast() {
        guard wanted.insert(name).inserted,
            let target = package.targets.first(where: { $0.name == name })
        else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { next.append(dependency) }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products.removeAll { !wanted.contains($0.name) }
}
