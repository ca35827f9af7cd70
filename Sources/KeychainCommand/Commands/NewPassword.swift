import KeychainModel
import Secrets

/// The password of a new item, from an option, a prompt or standard input.
struct NewPassword {
    let arguments: Arguments
    let context: CommandContext

    /// Reads the password; warns if other users can see it.
    ///
    /// - Throws: `CommandFailure.usage` for contradictory options and for bad digits; `errSecParam`
    ///   for an empty password without `--allow-empty`.
    func secret() throws(CommandFailure) -> SharedSecret {
        let sources: [CommandOption.Name] = [.password, .passwordAlias, .passwordHex]
        guard sources.count(where: arguments.has) <= 1 else {
            throw .usage("two passwords: give only one of -w, -p and -X")
        }
        if let digits = arguments[.passwordHex] {
            guard let secret = Self.decode(digits) else {
                throw .usage("invalid value for -X: give an even number of hexadecimal digits")
            }
            try context.warnOfVisibleSecret("password")
            return secret
        }
        if let text = arguments[.password] ?? arguments[.passwordAlias] {
            try context.warnOfVisibleSecret("password")
            return SharedSecret(Secret(copying: text.utf8))
        }
        let input = SecretInput(context.terminal, isLineByLine: context.session.isInteractive)
        let secret = try input.newSecret(called: "Password")
        guard secret.secret.byteCount > 0 || arguments.has(.allowEmpty) else {
            let place = context.terminal.inputIsTerminal ? "the entry" : "standard input"
            let reason = "\(place) is empty; to store an empty password, add --allow-empty"
            throw .keychain(KeychainError(.param, reason))
        }
        return secret
    }

    private static func decode(_ digits: String) -> SharedSecret? {
        let values = digits.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) }
        guard values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
        let secret = Secret(byteCount: values.count / 2) { target in
            for index in target.indices {
                target[index] = (values[2 * index] ?? 0) << 4 | (values[2 * index + 1] ?? 0)
            }
        }
        return SharedSecret(secret)
    }
}

extension CommandContext {
    /// Warns that other users can see an argument in the list of processes.
    ///
    /// With `-i` the words come from standard input, so there is nothing to see.
    func warnOfVisibleSecret(_ name: String) throws(CommandFailure) {
        guard !session.isInteractive else { return }
        try note(
            "warning: other users can see a \(name) on the command line; leave it out for a prompt"
        )
    }
}
