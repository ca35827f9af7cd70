import Glibc

/// The deletion of protected files together with their keys.
package enum FileDestruction {
    /// A moment at which another program may change the names.
    enum Moment: CaseIterable {
        /// The file is locked and examined.
        case examined
        /// The file still has its name.
        case named
    }

    /// Overwrites the wrapped key, waits until that is durable, and removes the name.
    ///
    /// A damaged file is removed in the same way. Before anything is overwritten, the file is
    /// renamed, which fails if names cannot be removed there.
    ///
    /// - Throws: `busy` while a program has the file open, or if another file got the name;
    ///   `notProtected`; `system`, with EMLINK if the file has other names (hard links).
    package static func remove(_ path: String) throws(FileFailure) {
        try remove(path) { _ in }
    }

    /// Removes the file, and calls `pass` at each moment, for tests.
    ///
    /// - Throws: The same errors.
    static func remove(_ path: String, _ pass: (Moment) -> Void) throws(FileFailure) {
        let target = try ResolvedPath.of(path)
        let place = try FilePlace(target)
        let (directory, name) = (place.directory, place.name)
        let file = try place.open(isWritable: true)
        try file.lock(exclusively: true)
        guard try file.isExpected() else { throw .busy(target) }
        do throws(FileFailure) { _ = try FileContainer.examine(file) } catch .damaged {
            // A damaged file is deleted too, with its remains of a key.
        }
        guard try file.facts().st_nlink == 1 else {
            throw .system(target, verb: "deleted while it has other names", code: EMLINK)
        }
        pass(.examined)
        guard try directory.names(file, name) else { throw .busy(target) }
        let aside = Leftovers.name(for: name, .removing)
        // The file is a leftover as soon as it has the name of one.
        file.begin()
        pass(.named)
        guard directory.rename(name, to: aside) else {
            let failure = FileFailure.last("deleted", target)
            file.finish()
            throw failure
        }
        guard try directory.names(file, aside) else {
            file.finish()
            throw putBack(aside, as: name, in: directory) ?? .busy(target)
        }
        do throws(FileFailure) {
            try overwriteKey(of: file)
        } catch {
            guard (try? FileContainer.isProtected(file)) != true else {
                file.finish()
                throw putBack(aside, as: name, in: directory) ?? error
            }
            // The rest never opens again, so it is deleted as well.
            _ = directory.unlink(aside)
            guard case .system(_, _, let code) = error else { throw error }
            throw .system(target, verb: "overwritten for certain, and is deleted", code: code)
        }
        guard directory.unlink(aside) else { throw .last("deleted", target) }
        try directory.synchronize()
    }

    /// Removes the protected files below a directory that is to be deleted, as far as possible.
    ///
    /// It follows no links. A file that a program has open, or that has another name, stays.
    package static func removeAll(below directory: String) {
        FileTree.walk(directory) { finding in
            guard case .file(let path, let identity) = finding else { return }
            FileIdentity.$expected.withValue(identity) { try? remove(path) }
        }
    }

    /// - Returns: The failure; nil if the name is as it was.
    private static func putBack(
        _ aside: String,
        as name: String,
        in directory: OpenDirectory
    ) -> FileFailure? {
        guard !directory.rename(aside, toFree: name) else { return nil }
        let verb = "deleted, and what had its name is called \(aside) now"
        return .last(verb, directory.path(of: name))
    }

    static func overwriteKey(of file: RawFile) throws(FileFailure) {
        try file.write([UInt8](repeating: 0, count: FileLayout.firstChunk), at: 0)
        try file.synchronize()
    }
}
