import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel

/// The keychain that an argument names in place of macOS's keychain file.
///
/// Here a keychain is a directory. A word with a slash is its path. Any other word is the name of a
/// directory beside the account's keychain, as macOS searches `~/Library/Keychains`.
/// - Source: security(1), "create-keychain": a keychain file; the place of a bare name is ours.
enum NamedKeychain {
    /// The keychain that commands without a keychain file use.
    case own
    /// A keychain in a directory of its own.
    case directory(String)

    // ★ Table: macOS's names for the keychain of an account.
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

    /// Returns the absolute path of the directory, without `.`, `..` and doubled slashes.
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

    /// Whether two paths lead to one directory, or are equal if no directory exists.
    private static func isSame(_ path: String, _ other: String) -> Bool {
        var (facts, others) = (stat(), stat())
        guard stat(path, &facts) == 0, stat(other, &others) == 0 else {
            return path == absolute(other)
        }
        return facts.st_dev == others.st_dev && facts.st_ino == others.st_ino
    }

    /// Whether a directory contains a keychain.
    static func exists(at path: String) -> Bool {
        access(KeychainHome(directory: path).keybag, F_OK) == 0
    }

    /// Returns the environment of a program that uses the keychain in a directory.
    ///
    /// - Throws: `errSecUnimplemented` for a protected program, which always uses the daemon's
    ///   keychain.
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
    /// Returns the context for the keychain that a word names.
    ///
    /// - Throws: `CommandFailure.usage` if there is none. The text does not repeat the word,
    ///   because it may be a misplaced password.
    func keychain(named word: String) throws(CommandFailure) -> CommandContext {
        guard case .directory(let path) = try NamedKeychain(word, environment) else { return self }
        guard NamedKeychain.exists(at: path) else {
            throw .usage(
                "that is no keychain: make one with create-keychain, or name none"
            )
        }
        return try keychain(in: path)
    }

    /// Returns the context for the keychain that the arguments name, or else this context.
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

    /// Returns the context for a directory's keychain; the first request makes a missing one.
    func keychain(in path: String) throws(CommandFailure) -> CommandContext {
        let named = try NamedKeychain.environment(of: path, environment)
        return changed(environment: named) { () throws(KeychainError) in
            try EmbeddedKeychain.open(KeychainHome(directory: path), named)
        }
    }
}
