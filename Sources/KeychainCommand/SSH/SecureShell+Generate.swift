import Cryptography
import KeyRepresentation
import KeychainModel
import SSHAgentProtocol
import SSHKeys

extension SecureShell {
    /// Makes a key, stores it, and writes its public half.
    static func generate(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let kind = try kind(arguments)
        let control = try control(arguments)
        let comment = comment(arguments, context)
        let keychain = try keychain(context)
        let key: SSHPublicKey
        if arguments.has(.element) {
            key = try CommandFailure.wrapping(
                try keychain.makeElementKey(comment: comment, control: control)
            )
        } else {
            let made = try CommandFailure.wrapping(
                try fromCryptography(try PrivateKey.generate(kind))
            )
            guard let publicKey = SSHPublicKey(made.publicKey) else { throw .unexpectedReply }
            try CommandFailure.wrapping(
                try keychain.store(made, comment: comment, control: control)
            )
            key = publicKey
        }
        guard arguments.has(.json) else {
            return try context.print(line: key.line(comment: comment))
        }
        let object: [String: JSONValue] = [
            "fingerprint": .text(key.fingerprint), "publicKey": .text(key.line(comment: comment)),
        ]
        try context.print(JSONValue.object(object).page)
    }

    /// The values of `--type`.
    static let typeNames = ["ed25519", "ecdsa", "rsa"]

    private static func kind(_ arguments: Arguments) throws(CommandFailure) -> KeyKind {
        let isElementKey = arguments.has(.element)
        let word =
            try arguments.choice(.algorithm, "--type", of: typeNames)
            ?? (isElementKey ? "ecdsa" : "ed25519")
        let kind = try kind(word, arguments[.size])
        guard !isElementKey || kind == .ellipticCurve(.p256) else {
            throw .usage("the secure element makes ecdsa keys of 256 bits only")
        }
        return kind
    }

    private static func kind(_ word: String, _ size: String?) throws(CommandFailure) -> KeyKind {
        let bitCount = size.map { Int($0) ?? 0 }
        switch word {
        case "rsa":
            guard (2048...8192).contains(bitCount ?? 3072) else {
                throw .usage("invalid value for --size: give 2048 to 8192 for rsa")
            }
            return .rsa(bitCount: bitCount ?? 3072)
        case "ecdsa":
            let curve = EllipticCurve.allCases.first { $0.bitCount == bitCount ?? 256 }
            guard let curve else {
                throw .usage("invalid value for --size: give 256, 384 or 521 for ecdsa")
            }
            return .ellipticCurve(curve)
        default:
            guard bitCount ?? 256 == 256 else {
                throw .usage("invalid value for --size: ed25519 has 256 bits only")
            }
            return .ed25519
        }
    }
}
