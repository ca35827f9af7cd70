import Glibc

/// Deletes protected files so that their keys are gone.
package enum FileDestruction {
    /// A moment in which somebody else may change the names.
    enum Moment: CaseIterable {
        /// The file is locked and examined.
        case examined
        /// It has the name still.
        case named
    }

    /// Overwrites the wrapped key, waits until that is durable, and removes the name.
    ///
    /// A damaged file is removed in the same way. Nothing is overwritten before the name is out of
    /// the way, which fails where no name can be removed.
    ///
    /// - Throws: `busy` while a program has the file open, or if another file got the name;
    ///   `notProtected`; `system`, with EMLINK if the file has other names (hard links).
    package static func remove(_ path: String) throws(FileFailure) {
        try remove(path) { _ in }
    }

    /// Does the same, and calls `pass` at each moment, for tests.
    ///
    /// - Throws: the same.
    static func remove(_ path: String, _ pass: (Moment) -> Void) throws(FileFailure) {
        let target = try ResolvedPath.of(path)
        let place = try FilePlace(target)
        let (directory, name) = (place.directory, place.name)
        let file = try place.open(isWritable: true)
        try file.lock(exclusively: true)
        guard try file.isExpected() else { throw .busy(target) }
        do throws(FileFailure) { _ = try FileContainer.examine(file) } catch .damaged {
            // It goes too, with what it has of a key.
        }
        guard try file.facts().st_nlink == 1 else {
            throw .system(target, verb: "deleted while it has other names", code: EMLINK)
        }
        pass(.examined)
        guard try directory.names(file, name) else { throw .busy(target) }
        let aside = Leftovers.name(for: name, .removing)
        // It is a leftover from the moment on in which it is called like one.
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
            // What is left opens never again, so it goes as well.
            _ = directory.unlink(aside)
            guard case .system(_, _, let code) = error else { throw error }
            throw .system(target, verb: "overwritten for certain, and is deleted", code: code)
        }
        guard directory.unlink(aside) else { throw .last("deleted", target) }
        try directory.synchronize()
    }

    /// Removes the protected files below a directory that is to go, as far as it can.
    ///
    /// It follows no links. One that a program has open, or that has another name, stays.
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
