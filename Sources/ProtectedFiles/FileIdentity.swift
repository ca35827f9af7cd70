import Glibc

/// The identity of a file under any name.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let number: ino_t

    package init(_ facts: stat) {
        device = facts.st_dev
        number = facts.st_ino
    }

    /// The only file that may be opened now; nil for any.
    ///
    /// A walk sets it for files that are opened by path afterwards, so that a link that was put
    /// into the path meanwhile is rejected.
    @TaskLocal package static var expected: FileIdentity?
}

extension RawFile {
    func isExpected() throws(FileFailure) -> Bool {
        guard let expected = FileIdentity.expected else { return true }
        return FileIdentity(try facts()) == expected
    }
}
