import Cryptography
import KeyRepresentation
import KeychainModel

/// `generate`.
enum Generate {
    /// The default length of a password, in characters.
    private static let length = 20
    private static let longest = 1000

    // ★ Table: the classes of `--characters`. Each printable ASCII character is in one of them.
    static let classes: [(name: String, members: [UInt8])] = [
        ("upper", Array(0x41...0x5A)),
        ("lower", Array(0x61...0x7A)),
        ("digits", Array(0x30...0x39)),
        ("symbols", Array("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".utf8)),
    ]

    /// Writes a password, or with `--store` stores it in an item without showing it.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let kind: PasswordKind = arguments.has(.server) ? .internet : .generic
        let attributes = try item(kind, arguments)
        guard !arguments.has(.raw) || !context.terminal.outputIsTerminal else {
            throw .usage("--raw writes to a file or pipe only: at a terminal, leave it out")
        }
        let drawn = try draw(arguments)
        let what = arguments.has(.words) ? "passphrase" : "password"
        let strength = "\(what) of \(Int(drawn.bits)) bits"
        guard var given = attributes else {
            var page = Page()
            page.append(ByteRule.plain.secret(of: drawn.secret.secret))
            if !arguments.has(.raw) { page.append(raw: "\n") }
            try context.print(page)
            return try context.note("note: a \(strength); it is stored nowhere")
        }
        given[QueryKey.valueData.rawValue] = .secret(drawn.secret)
        try AddPassword(kind).store(given, arguments, context)
        try context.note("note: stored a \(strength)")
    }

    /// Returns the item of `--store`; nil without it.
    private static func item(
        _ kind: PasswordKind,
        _ arguments: Arguments
    ) throws(CommandFailure) -> AttributeDictionary? {
        guard arguments.has(.store) else {
            guard !OptionTable.storing.contains(where: { arguments.has($0.name) }) else {
                throw .usage("these options name an item: add --store")
            }
            return nil
        }
        guard !arguments.has(.raw) else {
            throw .usage("give either --store or --raw: a stored password is not written")
        }
        guard arguments.has(.account), arguments.has(kind.place) else {
            throw .usage("--store needs the item: give -a account, and -s service or --server")
        }
        guard !arguments.has(.service) || kind.place == .service else {
            throw .usage("give either -s or --server")
        }
        var item = try arguments.attributes(of: OptionTable.storing)
        item[QueryKey.itemClass.rawValue] = .string(kind.itemClass.rawValue)
        return item
    }

    private static func draw(
        _ arguments: Arguments
    ) throws(CommandFailure) -> PasswordGenerator.Drawn {
        let generator = PasswordGenerator(random: SystemRandomSource())
        guard arguments.has(.words) else {
            guard !arguments.has(.dictionary) else {
                throw .usage("--dictionary is for passphrases: add --words")
            }
            let classes = try chosen(arguments[.characters])
            let length = try count(arguments[.length], "--length") ?? Self.length
            guard length >= classes.count else {
                throw .usage("--length is too short for \(classes.count) kinds of characters")
            }
            return try CommandFailure.wrapping(
                try fromCryptography(try generator.password(length: length, of: classes))
            )
        }
        guard !arguments.has(.length), !arguments.has(.characters) else {
            throw .usage("--words goes without --length and --characters")
        }
        let list = try WordList.read(arguments[.dictionary] ?? WordList.path)
        let words = try count(arguments[.words], "--words") ?? 6
        return try CommandFailure.wrapping(
            try fromCryptography(try generator.passphrase(words: words, from: list))
        )
    }

    private static func chosen(_ text: String?) throws(CommandFailure) -> [[UInt8]] {
        guard let text else { return classes.map(\.members) }
        let names = text.split(separator: ",").map(String.init)
        let known = Set(classes.map(\.name))
        guard !names.isEmpty, names.allSatisfy(known.contains) else {
            let list = classes.map(\.name).joined(separator: ", ")
            throw .usage("invalid value for --characters: give \(list), or several with commas")
        }
        return classes.filter { names.contains($0.name) }.map(\.members)
    }

    private static func count(
        _ text: String?,
        _ option: String
    ) throws(CommandFailure) -> Int? {
        guard let text else { return nil }
        guard let count = Int(text), (1...longest).contains(count) else {
            throw .usage("invalid value for \(option): give a number from 1 to \(longest)")
        }
        return count
    }
}
