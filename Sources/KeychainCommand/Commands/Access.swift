import CallerEvidence
import Cryptography
import Glibc
import KeychainMessages
import KeychainModel
import Secrets

/// `access list`, `access grant` and `access revoke`.
enum Access {
    static let verbs = ["list", "grant", "revoke"]
    static let synopsis = "list|grant|revoke [group program]"

    /// Shows or changes which programs may use which groups.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard let verb = arguments.operands.first, verbs.contains(verb) else {
            throw .usage("missing argument: give one of \(verbs.joined(separator: ", "))")
        }
        if verb == "list" { return try list(arguments, context) }
        let grant = try grant(arguments, isNew: verb == "grant")
        // Fails without a daemon before the command prompts for a passcode.
        _ = try context.daemon()
        let status = try context.status()
        guard status.isPasscodeSet else {
            let reason =
                "the keychain has no passcode, so the daemon cannot tell you from a program;"
                + " run keychainctl passcode set first"
            throw .keychain(KeychainError(.authFailed, reason))
        }
        let passcode = try SecretInput(context.terminal).line(called: "Passcode")
        let request: DaemonRequest =
            verb == "grant"
            ? .grant(grant, passcode: passcode) : .revoke(grant, passcode: passcode)
        guard case .done = try context.ask(request) else { throw .unexpectedReply }
    }

    private static func list(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.operands.count == 1, kind(arguments) == nil, !arguments.has(.digest) else {
            throw .usage("unexpected argument: access list takes --json only")
        }
        guard case .grants(let grants) = try context.ask(.grants) else { throw .unexpectedReply }
        guard !arguments.has(.json) else {
            return try context.print(JSONValue.list(grants.map(\.json)).page)
        }
        try context.print(TextTable.page(grants.map(\.row)))
    }

    /// Returns the grant that the operands and options describe.
    private static func grant(
        _ arguments: Arguments,
        isNew: Bool
    ) throws(CommandFailure) -> AccessGrant {
        guard !arguments.has(.json) else { throw .usage("option --json is for access list only") }
        guard arguments.operands.count == 3 else {
            throw .usage("give a group and a program: access grant mail /usr/bin/mailer")
        }
        let (group, value) = (arguments.operands[1], arguments.operands[2])
        guard arguments.kindCount <= 1 else {
            throw .usage("give one of --unit, --flatpak, --snap, --label, --account")
        }
        if let kind = kind(arguments) {
            guard !arguments.has(.digest) else {
                throw .usage("option --digest needs the path of a program")
            }
            guard let program = ProgramSelector(key: kind, value: value) else {
                throw .usage("invalid kind of program")
            }
            return AccessGrant(group: group, program: program)
        }
        guard value.hasPrefix("/") else {
            throw .usage("the program is not an absolute path; see also --unit and --flatpak")
        }
        guard isNew else { return AccessGrant(group: group, program: .program(value)) }
        let file = try CommandFailure.wrapping(try ExecutableFile(value))
        let digest = arguments.has(.digest) ? try CommandFailure.wrapping(try file.digest()) : nil
        return AccessGrant(group: group, program: .program(file.path), digest: digest)
    }

    private static func kind(_ arguments: Arguments) -> String? {
        Arguments.programKinds.first { arguments.has($0.option) }?.key
    }
}

/// An existing executable, with the path that the kernel reports for it.
struct ExecutableFile {
    let path: String

    private static let byteCountLimit = 1 << 30

    /// Resolves the path through symbolic links.
    ///
    /// - Throws: `errSecParam` if there is no plain file at the path.
    init(_ path: String) throws(KeychainError) {
        guard let resolved = realpath(path, nil) else {
            let reason = String(cString: strerror(errno))
            throw KeychainError(.param, "\(path) cannot be found: \(reason)")
        }
        defer { free(resolved) }
        self.path = String(cString: resolved)
        var status = stat()
        guard stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw KeychainError(.param, "\(self.path) is not a file")
        }
    }

    /// Returns the SHA-256 digest of the file's content.
    func digest() throws(KeychainError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("opened") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read") }
            if count == 0 { break }
            bytes += chunk.prefix(count)
            guard bytes.count <= Self.byteCountLimit else {
                throw KeychainError(.dataTooLarge, "\(path) has more than 1 GiB")
            }
        }
        do throws(CryptographyError) { return try Digest.sha256(bytes) } catch {
            throw KeychainError(.internalComponent, "\(path) cannot be digested: \(error)")
        }
    }

    private func failure(_ verb: String) -> KeychainError {
        KeychainError(.io, "\(path) cannot be \(verb): \(String(cString: strerror(errno)))")
    }
}

extension Arguments {
    /// The options that identify a program by something other than its path, with their policy
    /// keys.
    fileprivate static let programKinds: [(option: CommandOption.Name, key: String)] = [
        (.unit, "unit"), (.flatpak, "flatpak"), (.snap, "snap"), (.programLabel, "label"),
        (.ofAccount, "account"),
    ]

    fileprivate var kindCount: Int { Self.programKinds.count { has($0.option) } }
}

extension AccessGrant {
    fileprivate var row: [String] {
        [
            "group \(QuotedText.of(group))",
            (program.key == "program" ? "" : program.key + " ") + QuotedText.of(program.value),
        ] + (digestText.map { ["sha256 \($0)"] } ?? [])
    }

    fileprivate var json: JSONValue {
        .object([
            "group": .text(group),
            program.key: .text(program.value),
            "sha256": digestText.map(JSONValue.text) ?? .null,
        ])
    }

    private var digestText: String? {
        digest?.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }
}
