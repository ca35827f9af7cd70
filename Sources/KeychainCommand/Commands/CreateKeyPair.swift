import Cryptography
import KeyRepresentation
import KeychainModel

/// `create-keypair`.
enum CreateKeyPair {
    // ★ Table: the values of `-a`, and the default size of a key in bits.
    private static let algorithms: [(word: String, type: Int64, bitCount: Int64)] = [
        ("rsa", KeyKind.rsa(bitCount: 0).typeNumber, 3072),
        ("ec", KeyKind.ellipticCurve(.p256).typeNumber, 256),
        ("ed25519", KeyKind.ed25519.typeNumber, 256),
        ("x25519", KeyKind.x25519.typeNumber, 256),
    ]

    /// The values of `-a`.
    static var algorithmNames: [String] { algorithms.map(\.word) }

    /// Makes a pair and stores both halves, or neither.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let kind = try kind(arguments)
        var attributes = try arguments.attributes(of: OptionTable.createKeyPair)
        try context.noteIneffective(arguments)
        attributes[.label] = .string(arguments.operands[0])
        let privateKey = try generate(kind, isExtractable: !arguments.has(.nonExtractable))
        let halves = [privateKey, KeyReference(.publicKey(privateKey.publicKey))]
        var items: [AttributeDictionary] = []
        do throws(KeychainError) {
            for half in halves { items.append(try ReferenceExpansion.adding(half, to: attributes)) }
        } catch {
            throw .keychain(error)
        }
        _ = try context.send(.addAll(items, duplicates: .refused))
        try tell(of: privateKey, arguments, context)
    }

    private static func kind(_ arguments: Arguments) throws(CommandFailure) -> KeyKind {
        let word = try arguments.choice(.algorithm, "-a", of: algorithmNames) ?? "rsa"
        guard let row = algorithms.first(where: { $0.word == word }) else {
            throw .usage("option -a needs a value: rsa, ec, ed25519 or x25519")
        }
        let text = arguments[.size] ?? String(row.bitCount)
        guard let bitCount = Int64(text) else {
            throw .usage("invalid value for -s: give a number of bits")
        }
        let parameters = KeyParameters([
            .type: .number(row.type), .keySizeInBits: .number(bitCount),
        ])
        return try CommandFailure.wrapping(try parameters.kind())
    }

    private static func generate(
        _ kind: KeyKind,
        isExtractable: Bool
    ) throws(CommandFailure) -> KeyReference {
        let made = try CommandFailure.wrapping(try fromCryptography(try PrivateKey.generate(kind)))
        return KeyReference(.privateKey(made), isExtractable: isExtractable)
    }

    /// Writes the public half as PEM or JSON if the options request it, and otherwise a
    /// confirmation.
    private static func tell(
        of key: KeyReference,
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let pem = KeyJSON.publicKey(key)
        if arguments.has(.json) {
            let object: [String: JSONValue] = [
                "keyType": .text(key.kind.typeName),
                "keySizeInBits": .number(Int64(key.kind.bitCount)),
                "label": .text(arguments.operands[0]), "pem": .text(pem),
            ]
            try context.print(JSONValue.object(object).page)
        } else if arguments.has(.pem) {
            var page = Page()
            page.append(raw: pem)
            try context.print(page)
        } else {
            try context.print(line: "1 key pair created.")
        }
    }
}
