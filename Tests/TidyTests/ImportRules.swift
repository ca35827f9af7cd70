@testable import conformance_ledger

/// ★ What each target may import: of ours first, then of the system's.
private let allowedImports: [String: Set<String>] = [
    // Foundations.
    "CoreFoundation": ["Foundation"],
    "Secrets": ["CProcess", "Glibc", "Synchronization"],
    "ProgramStart": ["CProcess", "Secrets", "Glibc", "Synchronization"],
    "KeychainModel": ["Secrets", "Glibc", "Synchronization"],
    "CallerEvidence": ["KeychainModel", "JSON"],
    "KeychainMessages": ["CallerEvidence", "KeychainModel", "Secrets"],
    "JSON": [],
    "PlaintextFormats": ["JSON", "Secrets"],
    "Cryptography": ["CCrypto", "Secrets", "Glibc", "Synchronization"],
    "KeyRepresentation": ["KeychainModel", "Cryptography", "Secrets"],
    "StoredKeys": [
        "KeyRepresentation", "KeychainMessages", "KeychainModel", "Cryptography", "Secrets",
    ],

    // Synchronization.
    "KeychainSync": ["Cryptography", "Secrets"],
    "KeychainSyncDriver": [
        "KeychainSync", "SyncRelay", "StoredKeys", "KeyRepresentation", "KeychainMessages",
        "KeychainModel", "Cryptography", "Secrets",
    ],
    "SyncRelay": [
        "KeychainSync", "KeychainSockets", "CFileFacts", "Glibc", "Synchronization",
    ],
    "RelayLibraries": ["SyncRelay", "Glibc"],
    "PostgreSQLRelay": [
        "RelayLibraries", "SyncRelay", "KeychainSync", "KeychainSockets", "CPostgreSQL", "Glibc",
        "Synchronization",
    ],
    "EtcdRelay": [
        "RelayLibraries", "SyncRelay", "KeychainSync", "KeychainSockets", "Cryptography", "JSON",
        "CCurl", "Glibc", "Synchronization",
    ],
    "RemoteRelay": [
        "SyncRelay", "KeychainSync", "KeychainSockets", "ProgramStart", "Dispatch", "Glibc",
        "Synchronization",
    ],

    // The SSH agent protocol, and the SSH keys of a keychain.
    "SSHAgentProtocol": ["Cryptography", "PlaintextFormats", "Secrets"],
    "SSHKeys": [
        "SSHAgentProtocol", "StoredKeys", "KeyRepresentation", "KeychainMessages", "KeychainModel",
        "Cryptography", "Secrets",
    ],

    // Between processes.
    "KeychainWire": ["CallerEvidence", "KeychainMessages", "KeychainModel", "Secrets", "Glibc"],
    "KeychainSockets": ["CSocket", "Secrets", "Glibc", "Synchronization"],
    "MessageTransport": [
        "KeychainWire", "KeychainSockets", "KeychainMessages", "KeychainModel", "Secrets", "Glibc",
        "Synchronization",
    ],
    "ProcessWitness": [
        "CWitness", "CallerEvidence", "KeychainSockets", "Cryptography", "Secrets", "Glibc",
        "Synchronization",
    ],
    "KeychainServer": [
        "MessageTransport", "KeychainWire", "KeychainSockets", "ProcessWitness", "CallerEvidence",
        "KeychainMessages", "KeychainModel", "Secrets", "Glibc", "Synchronization",
    ],
    "KeychainAudit": [
        "CallerEvidence", "KeychainMessages", "KeychainModel", "Cryptography", "Secrets", "Glibc",
        "Synchronization",
    ],
    "LoginEvents": ["SystemBus", "Glibc"],
    "KeychainDaemon": [
        "KeychainHost", "KeychainEngine", "KeychainMessages", "KeychainModel", "KeychainPrompts",
        "KeychainServer", "KeychainWire", "KeychainSockets", "KeychainAudit", "CallerEvidence",
        "ProcessWitness", "LoginEvents", "SystemBus", "DataProtection", "Cryptography", "JSON",
        "Secrets", "CProcess", "CSystemd", "Glibc", "Synchronization", "FoundationEssentials",
    ],
    "keychaind": ["KeychainDaemon", "KeychainHost", "Secrets", "Glibc"],
    "keychain-witness": [
        "ProcessWitness", "KeychainSockets", "Secrets", "Glibc", "Synchronization",
    ],
    "keychain-agent": [
        "KeychainPrompts", "MessageTransport", "KeychainWire", "CallerEvidence", "KeychainModel",
        "Secrets", "Glibc", "Synchronization",
    ],

    // Data protection.
    "DataProtection": ["KeychainModel", "Cryptography", "Secrets", "Glibc", "Synchronization"],

    // The engine, and this machine.
    "KeychainEngine": [
        "KeychainMessages", "KeychainModel", "Cryptography", "DataProtection", "Secrets", "CSQLite",
        "Glibc", "Synchronization",
    ],
    "KeychainPrompts": ["KeychainModel", "ProgramStart", "Secrets", "Glibc", "Synchronization"],
    "KeychainHost": [
        "KeychainMessages", "KeychainWire", "KeychainSockets",
        "MessageTransport", "CallerEvidence",
        "KeychainModel", "KeychainEngine", "KeychainPrompts", "DataProtection", "ProgramStart",
        "Cryptography", "Secrets", "Dispatch", "Glibc", "Synchronization",
    ],

    // Files that lock with the device.
    "ProtectedFiles": [
        "CFileFacts", "KeychainMessages", "KeychainModel", "Cryptography", "Secrets", "Dispatch",
        "Glibc", "Synchronization",
    ],

    // For programs whose keychain is on a TPM.
    "SecureElementTPM": ["KeychainHost", "DataProtection", "Secrets", "CTSS", "Glibc"],
    "keychain-tpm": [
        "SecureElementTPM", "KeychainHost", "DataProtection", "KeychainModel", "Secrets", "Glibc",
    ],

    // Apple's API.
    "KeychainServices": [
        "CoreFoundation", "KeychainMessages", "KeychainModel", "KeychainHost", "KeyRepresentation",
        "StoredKeys", "Cryptography", "Secrets", "Dispatch", "Foundation", "Glibc",
        "Synchronization",
    ],
    "KeychainAuthentication": [
        "KeychainServices", "KeychainHost", "KeychainMessages", "KeychainModel", "Secrets",
        "CoreFoundation", "Dispatch", "Foundation", "Glibc", "Synchronization",
    ],
    "Security": ["KeychainServices"],
    "LocalAuthentication": ["KeychainAuthentication", "KeychainServices"],

    "SecureEnclaveKeys": [
        "KeychainAuthentication", "KeychainServices", "KeychainHost", "KeychainMessages",
        "KeychainModel", "KeyRepresentation", "StoredKeys", "Cryptography", "CoreFoundation",
        "Secrets",
        "Foundation",
    ],
    "FileProtection": [
        "ProtectedFiles", "KeychainServices", "KeychainHost", "KeychainMessages", "KeychainModel",
        "CoreFoundation", "Cryptography", "Secrets", "Foundation",
    ],
    "ProtectedFoundation": ["FileProtection", "Foundation"],
    "ApplicationShim": ["KeychainHost", "KeychainModel", "Foundation"],
    "SecurityDocCompat": ["KeychainServices"],

    // Names of Apple's other modules.
    "UIKit": ["ApplicationShim", "_Testing_UIKit", "Dispatch", "Foundation", "Synchronization"],
    "_Testing_UIKit": [],
    "SwiftUI": ["UIKit", "Combine", "Foundation"],
    "CommonCrypto": ["Cryptography", "Glibc"],
    "os": ["Cryptography", "Secrets", "Foundation", "Glibc"],
    "OSLog": ["os"],
    "Combine": ["Dispatch", "Foundation"],
    "AuthenticationServices": [
        "CoreFoundation", "AutoFill", "KeychainHost", "Foundation", "Synchronization",
    ],
    "CryptoKit": [
        "SecureEnclaveKeys", "KeychainAuthentication", "KeychainServices", "PlaintextFormats",
        "Cryptography", "Secrets", "Foundation",
    ],

    // Apple's modules are imported on Apple's platforms only.
    "KeychainItems": ["KeychainServices", "CoreFoundation", "Foundation", "Security"],
    "KeychainMigration": [
        "Vault", "KeychainItems", "KeychainServices", "CoreFoundation", "ApplicationShim", "JSON",
        "ProtectedFiles", "Foundation", "Security", "UIKit",
    ],

    "Vault": [
        "KeychainServices", "KeychainAuthentication", "Foundation", "LocalAuthentication",
        "Observation", "Security", "Synchronization",
    ],
    "VaultTesting": [
        "Vault", "KeychainSimulator", "KeychainHost", "KeychainModel", "Testing", "XCTest",
    ],

    // What tools of the web ask for; without a terminal.
    "AutoFill": ["CDomainNames", "JSON", "PlaintextFormats", "Glibc", "Synchronization"],
    "WebCredentials": [
        "AutoFill", "KeychainMessages", "KeychainModel", "PlaintextFormats", "Secrets",
    ],

    // A device to hold in a test, and a command to hold in a terminal.
    "KeychainSimulator": [
        "AutoFill", "WebCredentials", "KeychainMessages", "KeychainModel", "KeychainEngine",
        "KeychainHost", "KeychainSync", "KeychainSyncDriver", "SyncRelay", "DataProtection",
        "ProtectedFiles", "Cryptography", "Secrets",
        "Foundation", "Synchronization",
    ],
    "ScenarioRunner": [
        "KeychainSimulator", "KeychainServices", "KeychainAuthentication", "KeychainHost",
        "KeychainMessages", "KeychainModel", "ProtectedFiles", "JSON", "Cryptography", "Secrets",
        "CoreFoundation", "Foundation", "Glibc", "Synchronization",
    ],
    "KeychainCommand": [
        "AutoFill", "CallerEvidence", "KeychainHost", "KeychainMessages", "KeychainModel",
        "KeychainPrompts", "KeychainSockets", "KeyRepresentation", "Cryptography", "JSON",
        "ProgramStart",
        "PlaintextFormats", "ProcessWitness", "ProtectedFiles", "Secrets", "WebCredentials",
        "SSHAgentProtocol", "SSHKeys", "Glibc",
        "Synchronization",
    ],
    "keychain-ssh-agent": [
        "SSHAgentProtocol", "SSHKeys", "KeychainHost", "KeychainMessages", "KeychainModel",
        "KeychainPrompts", "KeychainSockets", "ProgramStart", "Cryptography", "Secrets", "CProcess",
        "Glibc",
    ],
    "keychainctl": ["KeychainCommand", "KeychainHost", "Secrets", "Glibc"],
    "SystemBus": ["CSystemd", "Glibc"],
    "SecretServiceProtocol": ["Cryptography", "Secrets"],
    "SecretServiceClient": [
        "KeychainMigration", "ProgramStart", "Foundation", "Glibc", "Synchronization",
    ],
    "keychain-bus": [
        "SecretServiceClient", "KeychainHost", "KeychainMigration", "KeychainModel", "Secrets",
        "SystemBus", "Foundation", "Glibc",
    ],
    "SecretServiceNames": ["SecretServiceProtocol", "KeychainModel"],
    "KeychainSecretService": [
        "SecretServiceNames", "SecretServiceProtocol", "SystemBus", "KeychainHost",
        "KeychainMessages", "KeychainModel", "KeychainPrompts", "Cryptography", "Secrets",
        "CProcess", "Dispatch", "Glibc",
    ],
    "keychain-secret-service": ["KeychainSecretService", "KeychainHost", "Secrets", "Glibc"],
    "BrowserDoor": [
        "AutoFill", "JSON", "KeychainMessages", "KeychainModel", "Secrets", "WebCredentials",
    ],
    "keychain-browser": [
        "BrowserDoor", "KeychainHost", "KeychainMessages", "KeychainModel", "Secrets", "CProcess",
        "Glibc",
    ],
    "keychain-pam": [
        "KeychainHost", "KeychainMessages", "KeychainModel", "MessageTransport", "Secrets", "Glibc",
    ],
    "PKCS11Token": [
        "KeyRepresentation", "KeychainMessages", "KeychainModel", "StoredKeys", "Cryptography",
        "Secrets",
    ],
    "keychain-pkcs11": [
        "PKCS11Token", "PKCS11Functions", "CPKCS11", "KeychainHost", "KeychainMessages",
        "KeychainModel", "KeychainPrompts", "Cryptography", "Secrets", "Glibc",
        "Synchronization",
    ],
    "keychain-fingerprint": ["CProcess", "SystemBus", "Glibc"],
    "keychain-logind": ["CProcess", "LoginEvents", "ProgramStart", "SystemBus", "Glibc"],
    "keychain-sync": [
        "KeychainSyncDriver", "KeychainSync", "SyncRelay", "RemoteRelay", "KeychainCommand",
        "KeychainHost", "KeychainModel", "JSON", "Cryptography", "Secrets", "Glibc",
    ],
    "keychain-relay": [
        "RemoteRelay", "SyncRelay", "PostgreSQLRelay", "EtcdRelay", "KeychainSockets", "Secrets",
        "Glibc",
    ],
    "keychain-doors": ["JSON", "KeychainCommand", "KeychainHost", "Secrets", "SystemBus", "Glibc"],
    "keychain-migrate": [
        "KeychainCommand", "KeychainHost", "KeychainMessages", "KeychainMigration", "KeychainModel",
        "SecretServiceClient", "SecretServiceNames", "PlaintextFormats", "Cryptography", "Secrets",
        "WebCredentials", "Foundation", "Synchronization",
    ],
    "keychain-simulate": [
        "ScenarioRunner", "KeychainCommand", "KeychainHost", "KeychainServer", "KeychainSockets",
        "KeychainWire", "MessageTransport", "ProcessWitness", "CallerEvidence", "KeychainMessages",
        "KeychainModel", "Secrets", "Foundation", "Glibc", "Synchronization",
    ],
]

extension TidyRule {
    /// A target imports what the table above allows it, and nothing else.
    static let declaredImports = TidyRule("a target imports what its row allows") { file in
        guard let target = file.target else { return [] }
        return imports(in: file).compactMap { line, module in
            guard let allowed = allowedImports[target] else {
                let rule = "`\(target)` has no row in Tests/TidyTests/ImportRules.swift"
                return file.finding(line, rule)
            }
            guard !allowed.contains(module) else { return nil }
            return file.finding(line, "`\(target)` may not import `\(module)`")
        }
    }

    /// The programs that `Packaging/places.sh` protects.
    static let protectedPrograms = [
        "keychainctl", "keychain-migrate", "keychain-agent", "keychain-pam", "keychain-ssh-agent",
        "keychain-sync",
    ]

    /// The targets of a protected program, by what they may import.
    private static let protectedTargets: Set<String> = {
        var found: Set<String> = []
        var next = protectedPrograms
        while let target = next.popLast() {
            guard found.insert(target).inserted, let allowed = allowedImports[target] else {
                continue
            }
            next += allowed
        }
        return found
    }()

    /// Rights and loading never meet in one process.
    static let protectedLoadNothing = TidyRule(
        "a program with rights loads no library, and talks to no bus of its account"
    ) { file in
        guard let target = file.target, protectedTargets.contains(target) else { return [] }
        let calls: Set<String> = ["dlopen", "dlmopen", "posix_spawn", "execvp", "execve", "execv"]
        // The one place that starts programs takes the rights away from them.
        let starts = target == "ProgramStart" ? ["posix_spawn"] : []
        let words = file.code.filter { calls.contains($0.text) && !starts.contains($0.text) }.map {
            file.finding($0.line, "`\($0.text)` is called in a program with rights")
        }
        let modules: Set<String> = ["SystemBus", "CSystemd", "SecureElementTPM", "CTSS"]
        let imports = imports(in: file).filter { modules.contains($0.module) }.map {
            file.finding($0.line, "`\($0.module)` is imported in a program with rights")
        }
        return words + imports
    }

    /// SQLite is called in the store alone.
    static let sqliteStaysInStore = TidyRule("CSQLite is imported in Store/ only") { file in
        guard !file.isBelow("Sources/KeychainEngine/Store") else { return [] }
        return imports(in: file, of: "CSQLite").map {
            file.finding($0, "`CSQLite` is imported outside Sources/KeychainEngine/Store")
        }
    }

    /// C cryptography is called in the files that are named for it.
    static let libcryptoStaysBehindWall = TidyRule(
        "CCrypto is imported in *+Libcrypto.swift only"
    ) { file in
        let isWall = file.isBelow("Sources/Cryptography") && file.path.hasSuffix("+Libcrypto.swift")
        guard !isWall else { return [] }
        return imports(in: file, of: "CCrypto").map {
            file.finding($0, "`CCrypto` is imported outside Cryptography's *+Libcrypto.swift files")
        }
    }

    private static func imports(in file: SourceFile, of module: String) -> [Int] {
        imports(in: file).filter { $0.module == module }.map(\.line)
    }

    private static let kinds: Set<String> = [
        "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
    ]

    private static func imports(in file: SourceFile) -> [(line: Int, module: String)] {
        let code = file.code
        return code.indices.compactMap { index in
            guard code[index].isCode("import") else { return nil }
            let names = code[(index + 1)...].prefix(2)
            let module = names.drop { kinds.contains($0.text) }.first
            return module.map { (code[index].line, $0.text) }
        }
    }
}
