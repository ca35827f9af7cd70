import Glibc
import KeychainHost
import KeychainModel

/// The names of an account's keychain in a daemon's directory.
struct AccountPlace: Sendable {
    let account: UInt32
    let directory: String
    private let state: String

    init(state: String, account: UInt32) {
        self.state = state
        self.account = account
        directory = "\(state)/\(account)"
    }

    /// The copy that is moving in.
    var adopting: String { directory + ".adopting" }
    /// The keychain that a copy replaces.
    var replaced: String { directory + ".replaced" }
    /// A keychain that was put aside and is about to be removed.
    var discarded: String { directory + ".discarded" }
    /// The mark of a keychain that was never touched since the daemon created it.
    var untouched: String { Self.untouched(in: directory) }

    private static func untouched(in directory: String) -> String { directory + "/untouched" }

    /// Whether there is nothing that could be a keychain: no directory, or only the mark in it.
    func isEmpty() throws(KeychainError) -> Bool {
        guard MoveFolder.isPresent(directory) else { return true }
        return try MoveFolder.names(in: directory).allSatisfy { "\(directory)/\($0)" == untouched }
    }

    /// Creates the directory of an untouched keychain; durable when the call returns.
    func makeUntouched() throws(KeychainError) {
        if !MoveFolder.isPresent(directory) { try MoveFolder.make(directory) }
        let mark = open(untouched, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard mark >= 0 else { throw .failed("open", untouched) }
        defer { close(mark) }
        guard fsync(mark) == 0 else { throw .failed("fsync", untouched) }
        try MoveFolder.synchronize(directory)
        try MoveFolder.synchronize(state)
    }

    /// Removes the mark permanently.
    func touch() throws(KeychainError) {
        guard unlink(untouched) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else { throw .failed("unlink", untouched) }
            return
        }
        try MoveFolder.synchronize(directory)
    }

    /// Returns the keychains that moves put aside, the newest last.
    func aside() throws(KeychainError) -> [String] {
        let prefixes = ["replaced", "released"].map { "\(account).\($0)-" }
        let names = try MoveFolder.names(in: state).filter { name in
            prefixes.contains(where: name.hasPrefix)
        }
        return names.sorted { Self.time($0).lexicographicallyPrecedes(Self.time($1)) }
            .map { "\(state)/\($0)" }
    }

    /// Returns the time in a name, and the number after it.
    private static func time(_ name: String) -> [Int64] {
        name.split(separator: "-").dropFirst().map { Int64($0) ?? 0 } + [0]
    }

    /// Returns the keychain that was released last; nil if none was.
    func newestReleased() throws(KeychainError) -> String? {
        try aside().last { $0.hasPrefix("\(directory).released-") }
    }

    /// Returns the touched keychain that a move put aside; nil if there is none.
    ///
    /// An untouched one has only a log, and the next one replaces it.
    func usedAside() throws(KeychainError) -> String? {
        try aside().last { !MoveFolder.isPresent(Self.untouched(in: $0)) }
    }

    /// Removes untouched keychains that were put aside, except the newest.
    func dropUntouchedAside() throws(KeychainError) {
        for path in try aside().dropLast() where MoveFolder.isPresent(Self.untouched(in: path)) {
            try MoveFolder.removeKeychain(path)
        }
    }

    /// Returns the size of the account's keychains in bytes: the one in use, those aside, the copy.
    ///
    /// Their logs have limits of their own.
    func byteCount() throws(KeychainError) -> UInt64 {
        var total: UInt64 = 0
        for path in [directory, adopting, replaced] + (try aside())
        where MoveFolder.isPresent(path) {
            total += try MoveFolder.byteCount(of: path)
        }
        return total
    }

    /// Returns the size of the keychains that are not in use, in bytes.
    func byteCountAside() throws(KeychainError) -> UInt64 {
        var total: UInt64 = 0
        for path in try aside() { total += try MoveFolder.byteCount(of: path) }
        return total
    }
}
