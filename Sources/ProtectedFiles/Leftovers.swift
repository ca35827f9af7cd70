import Glibc
import Synchronization

@_implementationOnly import CFileFacts

/// Files in the making, and the leftovers of them when their process is killed.
///
/// Such a file has the name `.NAME.NUMBER.protecting`, for the file NAME, and its process holds its
/// lock. Without a lock it is a leftover. An extended attribute tells it from a person's file.
package enum Leftovers {
    /// The work on a file in the making.
    enum Work: String, CaseIterable {
        /// The file has encrypted content.
        case protecting
        /// The file has plain content.
        case unprotecting
        /// The file is about to be deleted.
        case removing
    }

    /// The longest name that leaves room for the other parts, in bytes.
    private static let nameLimit = 200

    /// Returns the name of a new file in the directory of the file that it is for.
    static func name(for name: String, _ work: Work) -> String {
        var name = name
        while name.utf8.count > nameLimit { name.removeLast() }
        return ".\(name).\(UInt64.random(in: 0 ... .max)).\(work.rawValue)"
    }

    private static let swept = Mutex<Set<FileIdentity>>([])

    /// Removes leftovers from a directory, once in the life of the process.
    static func sweepOnce(_ directory: OpenDirectory) {
        guard let identity = try? directory.identity() else { return }
        if swept.withLock({ $0.insert(identity).inserted }) { sweep(directory) }
    }

    /// Removes the leftovers in the directory of a file, once in the life of the process.
    package static func sweepOnce(beside path: String) {
        guard let path = try? ResolvedPath.of(path),
            let directory = try? OpenDirectory(ResolvedPath.directory(of: path))
        else { return }
        sweepOnce(directory)
    }

    /// Removes the leftovers of this account.
    static func sweep(_ directory: OpenDirectory) {
        guard let found = try? directory.listing() else { return }
        for name in found.names where isOne(name) { try? removeIfLeft(name, in: directory) }
    }

    /// Whether a file in the making could have the name.
    package static func isOne(_ name: String) -> Bool { work(of: name) != nil }

    private static func work(of name: String) -> Work? {
        // Bytes, because an accent at the start of the name would hide the dot before it.
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].isEmpty,
            UInt64(String(Substring(parts[parts.count - 2]))) != nil
        else { return nil }
        return parts.last.flatMap { Work(rawValue: String(Substring($0))) }
    }

    /// Removes a file if it is a leftover; a person's file with such a name has no mark, and stays.
    static func removeIfLeft(
        _ name: String,
        in directory: OpenDirectory
    ) throws(FileFailure) {
        let isKeyed = work(of: name) == .removing
        let file = try directory.open(name, isWritable: isKeyed)
        try file.lock(exclusively: true)
        let facts = try file.facts()
        guard facts.st_uid == geteuid(), facts.st_nlink == 1, file.isUnfinished,
            try directory.names(file, name)
        else { return }
        if isKeyed { try FileDestruction.overwriteKey(of: file) }
        _ = directory.unlink(name)
    }
}

extension RawFile {
    /// The extended attribute of a file in the making.
    ///
    /// On a file system without attributes, leftovers stay.
    static let unfinished = "user.keychain.unfinished"

    var isUnfinished: Bool {
        file_held_attribute(descriptor, Self.unfinished, nil, 0) >= 0
    }

    /// Marks the file for removal when no process holds its lock.
    ///
    /// - Returns: Whether the file system and the rights permit it.
    @discardableResult func begin() -> Bool {
        file_give_attribute(descriptor, Self.unfinished, [1], 1) == 0
    }

    /// Removes the mark, because the file has its name.
    func finish() { _ = file_drop_attribute(descriptor, Self.unfinished) }
}
