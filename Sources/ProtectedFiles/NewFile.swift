import Cryptography
import Glibc
import KeychainModel

/// A protected file in the making: it gets its name when it is complete.
///
/// Without `publish` the file is deleted when the value's life ends.
package final class NewFile {
    package let container: FileContainer
    private let place: FilePlace
    private let temporary: String
    private let replaced: ReplacedFile?
    private var isPublished = false
    /// The properties of the replaced file that the new one could not get, such as `its group`.
    package private(set) var losses: [String] = []
    /// The access rights of the replaced file; nil for none.
    private var mode: mode_t?
    /// The dates that the file is to have; nil for now.
    var dates: FileDates?

    /// Creates the file in the directory of its later name; a link of that name is replaced, not
    /// followed.
    ///
    /// Without a class it gets that of the directory. The first file in a directory removes the
    /// leftovers of killed processes there.
    package convenience init(
        _ path: String,
        _ fileClass: FileClass?,
        group: String? = nil,
        _ source: FileKeySource
    ) throws(FileFailure) {
        try self.init(FilePlace(path), fileClass, group: group, nil, source)
    }

    /// Creates a file that replaces an open one, unless another program replaces or changes that
    /// first.
    ///
    /// It gets the mode, owner and extended attributes of that file, including access control
    /// lists. Without a class it gets that of the protected file that it replaces, else of the
    /// directory.
    package convenience init(
        over replaced: ReplacedFile,
        _ fileClass: FileClass?,
        group: String? = nil,
        _ source: FileKeySource
    ) throws(FileFailure) {
        let old = replaced.container
        let (fileClass, group) = (fileClass ?? old?.fileClass, group ?? old?.group)
        try self.init(replaced.place, fileClass, group: group, replaced, source)
        if old?.isExcludedFromBackup == true { try container.setExcludedFromBackup(true) }
    }

    private init(
        _ place: FilePlace,
        _ fileClass: FileClass?,
        group: String?,
        _ replaced: ReplacedFile?,
        _ source: FileKeySource
    ) throws(FileFailure) {
        self.place = place
        self.replaced = replaced
        let directory = place.directory
        let fileClass = fileClass ?? DirectoryClass.inherited(in: directory)
        Leftovers.sweepOnce(directory)
        temporary = Leftovers.name(for: place.name, .protecting)
        container = try FileContainer.create(
            in: directory,
            temporary,
            fileClass,
            group: group,
            source
        )
        guard let old = replaced?.file, let facts = replaced?.facts else { return }
        do throws(FileFailure) {
            losses = try container.file.adopt(facts, of: old)
            mode = try container.file.facts().st_mode & 0o7777
        } catch {
            directory.discard(container.file, temporary)
            isPublished = true
            throw error
        }
    }

    deinit { if !isPublished { place.directory.discard(container.file, temporary) } }

    /// Makes the content durable and gives the file its name.
    ///
    /// - Parameter isReplacing: Whether to replace a file of that name; otherwise one is an error
    ///   (EEXIST).
    /// - Throws: The errors of `flush`, and `system`; `busy` if another program replaced or changed
    ///   the file that this one was to replace, or created one where there was none.
    package func publish(replacing isReplacing: Bool = true) throws(FileFailure) {
        try container.flush()
        if let mode { try container.file.keep(mode) }
        if let dates { try container.file.set(dates) }
        if let replaced {
            try replaced.giveName(to: temporary)
        } else if isReplacing {
            guard place.directory.rename(temporary, to: place.name) else {
                throw .last("replaced", place.path)
            }
        } else {
            guard place.directory.rename(temporary, toFree: place.name) else {
                throw .last("created", place.path)
            }
        }
        isPublished = true
        container.file.finish()
        try place.synchronize()
    }
}
