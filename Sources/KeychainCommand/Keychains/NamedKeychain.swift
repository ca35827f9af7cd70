import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel

/// The keychain that a command line names where macOS's command takes a keychain file.
///
/// Here a keychain is a directory. A word with a slash is its path. Another word is a name beside
/// the keychain of the account, as macOS looks for it in `~/Library/Keychains`.
/// - Source: security(1), "create-keychain": a keychain file; the place of a bare name is ours.
enum NamedKeychain {
    /// The keychain that commands without a keychain file use.
    case own
    /// A keychain in a directory of its own.
    case directory(String)

    // ★ Table: what macOS calls the keychain of an account.
    private static let ownNames: Set<String> = ["login.keychain", "login.keychain-db", "login"]

    init(_ word: String, _ environment: ProcessEnvironment) throws(CommandFailure) {
        let name = word.split(separator: "/").last.map(String.init) ?? ""
        guard !name.isEmpty, name != ".", name != ".." else {
            throw .usage("that names no keychain: give a path or a name")
        }
        let home = try CommandFailure.wrapping(try KeychainHome(environment)).directory
        let path = word.contains("/") ? Self.absolute(word) : Self.absolute(home) + ".named/" + word
        if Self.ownNames.contains(name) || Self.isSame(path, home) {
            self = .own
        } else {
            self = .directory(path)
        }
    }

    /// The path without `.`, `..` and doubled slashes, as the directory that is opened.
    private static func absolute(_ path: String) -> String {
        var path = path
        if !path.hasPrefix("/"), let directory = getcwd(nil, 0) {
            path = String(cString: directory) + "/" + path
            free(directory)
        }
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Whether two paths lead to one directory, or are the same path to none.
    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (facts, others) = (stat(), stat())
        guard stat(path, &facts) == 0, stat(other, &others) == 0 else {
            return path == absolute(other)
        }
        return facts.st_dev == others.st_dev && facts.st_ino == others.st_ino
    }

    /// Whether there is a keychain in a directory.
    static func exists(at path: String) -> Bool {
        access(KeychainHome(directory: path).keybag, F_OK) == 0
    }

    /// The variables of a program whose keychain is that of a directory.
    ///
    /// - Throws: `errSecUnimplemented` for a protected program, which nothing may lead away from
    ///   the daemon.
    static func environment(
        of path: String,
        _ environment: ProcessEnvironment
    ) throws(CommandFailure) -> ProcessEnvironment {
        guard !environment.isProtected else {
            let reason = "a protected command uses the daemon's keychain only: name no keychain"
            throw .keychain(KeychainError(.unimplemented, reason))
        }
        return environment.replacing([
            "KEYCHAIN_HOME": path, DaemonSocket.variable: "", SimulationSocket.variable: nil,
            UnlockSource.variable: nil,
        ])
    }
}

extension CommandContext {
    /// The keychain that a word of the command line names, with what a command needs to use it.
    ///
    /// - Throws: `CommandFailure.usage` if there is none, with a text that does not repeat the
    ///   word: it may be a misplaced password.
    func keychain(named word: String) throws(CommandFailure) -> CommandContext {
        guard case .directory(let path) = try NamedKeychain(word, environment) else { return self }
        guard NamedKeychain.exists(at: path) else {
            throw .usage(
                "that is no keychain: make one with create-keychain, or name none"
            )
        }
        return try keychain(in: path)
    }

    /// The keychain that a command is to use: the one that its arguments name, or else this one.
    func keychain(
        of command: Command,
        _ arguments: Arguments
    ) throws(CommandFailure) -> CommandContext {
        if let word = arguments[.keychainFile] { return try keychain(named: word) }
        guard case .keychain = command.operands, let word = arguments.operands.first else {
            return self
        }
        return try keychain(named: word)
    }

    /// The keychain of a directory, which the first request makes if it is absent.
    func keychain(in path: String) throws(CommandFailure) -> CommandContext {
        let named = try NamedKeychain.environment(of: path, environment)
        return changed(environment: named) { () throws(KeychainError) in
            try EmbeddedKeychain.open(KeychainHome(directory: path), named)
        }
    }
}
