import Foundation
import KeychainModel
import ProtectedFiles

extension Data {
    /// Writes a protected file.
    ///
    /// A file of that name is replaced as a whole: a crash leaves the old one or the new one. Its
    /// access permissions and its exclusion from backups stay.
    ///
    /// ```swift
    /// try data.write(toProtectedFile: url, options: .completeFileProtection)
    /// ```
    ///
    /// The options name one of Apple's four classes. Without one, the class of the replaced file is
    /// used, then the directory's, then `completeFileProtectionUntilFirstUserAuthentication`. With
    /// `.withoutOverwriting` a file of that name is an error.
    ///
    /// - Throws: `CocoaError.fileWriteNoPermission` (513) while the class is locked, and others.
    public func write(
        toProtectedFile url: URL,
        options: Data.WritingOptions = [],
        accessGroup: String? = nil
    ) throws {
        let isReplacing = !options.contains(.withoutOverwriting)
        try write(url, try FileClass(options), accessGroup, replacing: isReplacing)
    }

    /// Writes a protected file under a temporary name, and then gives it its own.
    func write(
        _ url: URL,
        _ stated: FileClass?,
        _ accessGroup: String? = nil,
        replacing isReplacing: Bool = true
    ) throws {
        try FileFailure.translating(url, isWriting: true) { () throws(FileFailure) in
            // It stays open, so that no other program writes to it meanwhile.
            let path = isReplacing ? try ResolvedPath.ofNew(url.path) : url.path
            let replaced = isReplacing ? try ReplacedFile(path, .ambient()) : nil
            try replaced?.requireOneName("replaced")
            let file =
                if let replaced {
                    try NewFile(over: replaced, stated, group: accessGroup, .ambient())
                } else {
                    try NewFile(path, stated, group: accessGroup, .ambient())
                }
            var failure: FileFailure?
            withUnsafeBytes { bytes in
                do throws(FileFailure) { try file.container.write(bytes, at: 0) } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            try file.publish(replacing: isReplacing)
            try file.container.close()
            try replaced?.container?.close()
        }
    }

    /// Reads a protected file.
    ///
    /// - Throws: `CocoaError.fileReadNoPermission` (257) while its class is locked;
    ///   `ProtectedFileError`.
    public init(contentsOfProtectedFile url: URL) throws {
        let file = try ProtectedFile(opening: url)
        self = try file.readToEnd() ?? Data()
        try file.close()
    }
}

extension URL {
    /// Whether the file at this URL is a protected one; needs no key.
    public var isProtectedFile: Bool { FileContainer.isProtected(path) }

    /// Sets whether backups exclude a protected file.
    public func setProtectedFileExcludedFromBackup(_ isExcluded: Bool) throws {
        let file = try ProtectedFile(opening: self, forUpdating: true)
        try file.setExcludedFromBackup(isExcluded)
        try file.close()
    }
}
