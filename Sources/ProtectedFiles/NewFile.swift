import Cryptography
import Glibc
import KeychainModel

/// A protected file in the making: it gets its name when it is complete.
///
/// Without `publish` it is gone when the value's life ends.
package final class NewFile {
    package let container: FileContainer
    private let path: String
    private let temporary: String
    private var isPublished = false
    /// What of the replaced file the new one could not get, such as `its group`.
    package private(set) var losses: [String] = []
    /// The dates that the file is to have; nil for now.
    var dates: FileDates?

    /// Makes the file beside its later name; a link of that name is replaced, not followed.
    ///
    /// Without a class it gets that of the directory. It gets mode, owner and extended attributes
    /// of the file that it replaces, access control lists among them. The first file in a
    /// directory removes what a process that was killed left there.
    package init(
        _ path: String,
        _ fileClass: FileClass?,
        group: String? = nil,
        replacing replaced: String? = nil,
        _ source: FileKeySource
    ) throws(FileFailure) {
        self.path = path
        let fileClass = fileClass ?? DirectoryClass.inherited(by: path)
        Leftovers.sweepOnce(RawFile.directory(of: path))
        temporary = Leftovers.name(for: path, .protecting)
        container = try FileContainer.create(temporary, fileClass, group: group, source)
        var facts = stat()
        if let replaced, stat(replaced, &facts) == 0 {
            do throws(FileFailure) {
                losses = try container.file.adopt(facts, of: replaced)
            } catch {
                unlink(temporary)
                isPublished = true
                throw error
            }
        }
    }

    deinit { if !isPublished { unlink(temporary) } }

    /// Makes the content durable and gives the file its name.
    ///
    /// - Parameter isReplacing: Replaces a file of that name; otherwise one is an error (EEXIST).
    /// - Throws: What `flush` throws, and `system`.
    package func publish(replacing isReplacing: Bool) throws(FileFailure) {
        try container.flush()
        if let dates { try container.file.set(dates) }
        if isReplacing {
            guard rename(temporary, path) == 0 else { throw .last("replaced", path) }
        } else {
            guard link(temporary, path) == 0 else { throw .last("created", path) }
            unlink(temporary)
        }
        isPublished = true
        container.file.finish()
        try RawFile.synchronize(directoryOf: path)
    }
}
