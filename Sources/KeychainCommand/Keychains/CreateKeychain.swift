import Glibc
import KeychainHost
import KeychainModel
import Secrets

/// `create-keychain`.
enum CreateKeychain {
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var paths: [String] = []
        for word in arguments.operands {
            let chosen = try NamedKeychain(word, context.environment)
            guard case .directory(let path) = chosen, access(path, F_OK) != 0 else {
                let reason = "there is a keychain or a file of that name: choose another name"
                throw .keychain(KeychainError(.duplicateKeychain, reason))
            }
            paths.append(path)
        }
        let passcode = try passcode(arguments, context)
        for path in paths {
            let keychain = try context.keychain(in: path)
            let home = KeychainHome(directory: path)
            try CommandFailure.wrapping(try EmbeddedKeychain.makeRemovable(home))
            _ = try keychain.status()
            guard passcode.secret.byteCount > 0 else {
                try context.note(
                    "warning: the keychain has no passcode: who copies \(path) can read it"
                )
                continue
            }
            try keychain.change(.setPasscode(passcode, current: nil))
        }
    }

    private static func passcode(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) -> SharedSecret {
        guard let text = arguments[.password] else {
            return try SecretInput(context.terminal).newLine(called: "Passcode")
        }
        if !text.isEmpty { try context.warnOfVisibleSecret("passcode") }
        return SharedSecret(Secret(copying: text.utf8))
    }
}

/// `delete-keychain`.
enum DeleteKeychain {
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        var paths: [String] = []
        for word in arguments.operands {
            guard case .directory(let path) = try NamedKeychain(word, context.environment) else {
                let reason = "this is your own keychain: delete its items, or name another one"
                throw .keychain(KeychainError(.invalidKeychain, reason))
            }
            let home = KeychainHome(directory: path)
            guard NamedKeychain.exists(at: path) || EmbeddedKeychain.isRemovable(home) else {
                let reason = "there is no keychain of that name: create-keychain makes one"
                throw .keychain(KeychainError(.noSuchKeychain, reason))
            }
            paths.append(path)
        }
        for path in paths {
            let environment = try NamedKeychain.environment(of: path, context.environment)
            let home = KeychainHome(directory: path)
            try CommandFailure.wrapping(try EmbeddedKeychain.remove(home, environment))
        }
    }
}
