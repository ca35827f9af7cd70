import KeychainModel
import Secrets

/// `env`.
enum RunWithSecrets {
    /// Runs a command with the passwords of a service as variables named after their accounts.
    ///
    /// This process becomes the command: nothing of the keychain stays behind it.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let service = arguments.operands[0]
        let variables = try variables(of: service, context)
        guard !variables.isEmpty else {
            let reason = "nothing is stored for that service"
            throw .keychain(KeychainError(.itemNotFound, reason))
        }
        try context.launch(
            ProgramLaunch(
                program: arguments.operands[1],
                arguments: Array(arguments.operands.dropFirst(2)),
                variables: variables
            )
        )
    }

    private static func variables(
        of service: String,
        _ context: CommandContext
    ) throws(CommandFailure) -> [(name: String, value: SharedSecret)] {
        let items = try context.items(
            of: .genericPassword,
            where: [Attribute.service.rawValue: .string(service)],
            returning: [.returnPersistentReference]
        )
        var variables: [(name: String, value: SharedSecret)] = []
        for item in items {
            let name = name(of: item)
            guard isName(name) else {
                try context.note("note: the account '\(name)' is no name of a variable: left out")
                continue
            }
            let value = try context.secret(of: item, .genericPassword)
            guard value.secret.withUnsafeBytes({ !$0.contains(0) }) else {
                let reason = "\(name) holds a NUL byte, which no variable can"
                throw .keychain(KeychainError(.decode, reason))
            }
            variables.append((name, value))
        }
        return variables
    }

    private static func name(of item: ItemDictionary) -> String {
        guard case .string(let name)? = item.attributes[.account] else { return "" }
        return name
    }

    /// - Source: POSIX.1-2017, XBD §8.1.
    private static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, !("0"..."9").contains(UnicodeScalar(first)) else {
            return false
        }
        return bytes.allSatisfy { byte in
            let scalar = UnicodeScalar(byte)
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                || ("0"..."9").contains(scalar) || scalar == "_"
        }
    }
}

extension CommandContext {
    /// The secret of an item that was found with its persistent reference.
    func secret(
        of item: ItemDictionary,
        _ itemClass: ItemClass
    ) throws(CommandFailure) -> SharedSecret {
        guard let reference = item.persistentReference else { throw .unexpectedReply }
        let named: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(itemClass.rawValue),
            QueryKey.valuePersistentReference.rawValue: .data(reference),
        ]
        let found = try firstItem(named, returning: [.returnData])
        return found.data ?? SharedSecret(Secret(copying: []))
    }
}
