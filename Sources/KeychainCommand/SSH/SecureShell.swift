import Glibc
import KeychainMessages
import KeychainModel
import SSHAgentProtocol
import SSHKeys
import Secrets

/// `ssh generate`, `ssh add`, `ssh list`, `ssh remove` and `ssh config`.
enum SecureShell {
    typealias Verb = @Sendable (Arguments, CommandContext) throws(CommandFailure) -> Void

    // ★ Table: the operand of each verb, and its options.
    private static let verbs: [(name: String, operand: String?, options: Set<CommandOption.Name>)] =
        [
            ("generate", nil, [.algorithm, .size, .element, .require, .comment, .json]),
            ("add", "file", [.keep, .require, .comment]),
            ("list", nil, [.json]),
            ("remove", "key", []),
            ("config", nil, []),
        ]

    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let words = arguments.operands
        guard let verb = verbs.first(where: { $0.name == words.first }) else {
            let names = verbs.map(\.name).joined(separator: ", ")
            let fault = words.first.map { "unknown ssh command \($0)" } ?? "missing argument"
            throw .usage("\(fault): give one of \(names)")
        }
        guard words.count == (verb.operand == nil ? 1 : 2) else {
            let operand = verb.operand.map { "exactly one \($0)" } ?? "no argument"
            throw .usage("ssh \(verb.name) takes \(operand)")
        }
        let foreign = OptionTable.secureShell.first { option in
            arguments.has(option.name) && !verb.options.contains(option.name)
        }
        if let foreign { throw .usage("ssh \(verb.name) takes no \(foreign.spellings[0])") }
        switch verb.name {
        case "generate": try generate(arguments, context)
        case "add": try SecureShellAdd(arguments, context).run()
        case "list": try list(arguments, context)
        case "remove": try remove(arguments, context)
        default: try config(context)
        }
    }

    /// Returns the SSH keys of the command's keychain.
    static func keychain(_ context: CommandContext) throws(CommandFailure) -> SSHKeychain {
        let endpoint = try context.connected()
        return SSHKeychain { () throws(KeychainError) in endpoint }
    }

    /// Returns the comment of a new key: `-C`, or else the user and the host.
    static func comment(_ arguments: Arguments, _ context: CommandContext) -> String {
        if let comment = arguments[.comment] { return comment }
        var host = [CChar](repeating: 0, count: 256)
        gethostname(&host, host.count - 1)
        let name = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let user = context.environment["USER"] ?? "keychain"
        return "\(user)@\(String(decoding: name, as: UTF8.self))"
    }

    /// Returns the access control of `--require`; nil without the option.
    static func control(_ arguments: Arguments) throws(CommandFailure) -> AccessControl? {
        try arguments.demands(with: .whenUnlocked)
    }
}

// Listing and removing.
extension SecureShell {
    private static func list(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let keychain = try keychain(context)
        let keys = try CommandFailure.wrapping(try keychain.keptKeys())
        guard !arguments.has(.json) else {
            return try context.print(JSONValue.list(keys.map(\.json)).page)
        }
        try context.print(TextTable.page(keys.map(\.row)))
        guard keys.isEmpty, try !CommandFailure.wrapping(try keychain.isUnlocked()) else { return }
        try context.note("note: the keychain is locked, so no key can be seen")
    }

    private static func remove(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let name = arguments.operands[1]
        let keychain = try keychain(context)
        let keys = try CommandFailure.wrapping(try keychain.keptKeys())
        let file = publicKey(atPath: name)
        let found = keys.filter { kept in
            kept.key.fingerprint == name || kept.comment == name
                || file.map { kept.key.hasSameKey(as: $0) } ?? false
        }
        guard let key = found.first else {
            let reason = "no SSH key has that fingerprint, comment or public key"
            throw .keychain(KeychainError(.itemNotFound, reason))
        }
        guard found.count == 1 else {
            throw .input("several keys have that comment: give a fingerprint of ssh list")
        }
        try CommandFailure.wrapping(try keychain.delete(key.key))
        try context.print(line: "deleted \(key.key.fingerprint) \(key.comment)")
    }

    /// Returns the key in a `.pub` file; nil if there is none.
    static func publicKey(atPath path: String) -> SSHPublicKey? {
        guard let bytes = try? InputFile.read(path), bytes.byteCount < 64 << 10 else { return nil }
        let text = String(decoding: bytes.copyBytesUnprotected(), as: UTF8.self)
        return try? SSHPublicKey.parse(line: text).key
    }

    private static func config(_ context: CommandContext) throws(CommandFailure) {
        // systemd's socket unit works only in a session of systemd.
        guard let directory = context.environment["XDG_RUNTIME_DIR"],
            access("\(directory)/systemd", F_OK) == 0
        else {
            let lines = [
                "# There is no systemd in this session. In your shell's profile:",
                #"eval "$(keychain-ssh-agent)" >/dev/null"#,
            ]
            for line in lines { try context.print(line: line) }
            return
        }
        let socket = "\(directory)/keychain-ssh-agent.sock"
        let lines = [
            "# Run once, after an installation:",
            "#     systemctl --user enable --now keychain-ssh-agent.socket",
            "# In ~/.ssh/config:",
            "Host *",
            "    IdentityAgent \(socket)",
            "# In your shell's profile, for ssh-add, git and others:",
            "export SSH_AUTH_SOCK=\(socket)",
        ]
        for line in lines { try context.print(line: line) }
    }
}

extension SSHKeychain.KeptKey {
    fileprivate var row: [String] {
        [
            String(key.key.kind.bitCount), key.fingerprint, comment, key.type.word,
            isElementKey ? "secure element" : "",
            accessControl.map(AccessControlText.text) ?? "",
        ]
    }

    fileprivate var json: JSONValue {
        .object([
            "fingerprint": .text(key.fingerprint),
            "publicKey": .text(key.line(comment: comment)),
            "comment": .text(comment),
            "keyType": .text(key.type.name),
            "keySizeInBits": .number(Int64(key.key.kind.bitCount)),
            "isElementKey": .flag(isElementKey),
            "accessControl": accessControl.map { .text(AccessControlText.text(of: $0)) } ?? .null,
        ])
    }
}
