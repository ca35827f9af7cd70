import Foundation
import KeychainModel
import ProtectedFiles

/// A file manager that supports protected files.
///
/// Foundation on Linux has Apple's names and ignores them. This one sets and returns
/// `FileAttributeKey.protectionKey`, creates and reads protected files, and destroys their keys.
///
/// ```swift
/// try FileManager.protected.setAttributes(
///     [.protectionKey: FileProtectionType.complete],
///     ofItemAtPath: path
/// )
/// ```
///
/// `@unchecked Sendable` is sound because it has no state of its own, and Foundation's file manager
/// may be used by several threads.
final class ProtectingFiles: FileManager, @unchecked Sendable {
    /// Returns the attributes of Foundation, and the class of a protected file or of a directory.
    override func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] {
        var attributes = try super.attributesOfItem(atPath: path)
        if attributes[.type] as? FileAttributeType == .typeDirectory {
            let stated = DirectoryClass.stated(by: path)
            if let stated { attributes[.protectionKey] = FileProtectionType(stated) }
        } else if let key = try? FileContainer.examine(path) {
            attributes[.protectionKey] = FileProtectionType(key.fileClass)
            let length = try? ProtectedFile(opening: URL(fileURLWithPath: path)).length
            if let length { attributes[.size] = length }
        }
        return attributes
    }

    /// Sets attributes; with `protectionKey` a directory gets the class for new files, and a file
    /// is protected in that class.
    ///
    /// A plain file is replaced by a protected one. Its old blocks may remain on the disk.
    ///
    /// - Throws: `CocoaError.fileWriteNoPermission` (513) while the class is locked.
    override func setAttributes(
        _ attributes: [FileAttributeKey: Any],
        ofItemAtPath path: String
    ) throws {
        var rest = attributes
        if let stated = rest.removeValue(forKey: .protectionKey) {
            let name = (stated as? FileProtectionType)?.rawValue ?? stated as? String
            let type = FileProtectionType(rawValue: name ?? "\(stated)")
            try protect(URL(fileURLWithPath: path), type)
        }
        if !rest.isEmpty { try super.setAttributes(rest, ofItemAtPath: path) }
    }

    private func protect(_ url: URL, _ type: FileProtectionType) throws {
        let fileClass = try FileClass(type)
        var isDirectory: ObjCBool = false
        guard fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
        }
        if isDirectory.boolValue {
            return try FileFailure.translating(url, isWriting: true) { () throws(FileFailure) in
                try DirectoryClass.set(fileClass, of: url.path)
            }
        }
        if url.isProtectedFile {
            let file = try ProtectedFile(opening: url, forUpdating: true)
            try file.setProtection(type)
            return try file.close()
        }
        try FileFailure.translating(url, isWriting: true) { () throws(FileFailure) in
            _ = try PlainFile.protect(url.path, fileClass, .ambient())
        }
    }

    /// Creates a protected file if the attributes or the directory name a class, else a plain one.
    ///
    /// A protected file of that name is replaced by a protected one. A crash or an error leaves the
    /// old file.
    @discardableResult override func createFile(
        atPath path: String,
        contents: Data?,
        attributes: [FileAttributeKey: Any]? = nil
    ) -> Bool {
        var rest = attributes ?? [:]
        let stated = rest.removeValue(forKey: .protectionKey)
        let name = (stated as? FileProtectionType)?.rawValue ?? stated as? String
        guard stated == nil || name.flatMap({ FileClass(appleName: $0) }) != nil else {
            return false
        }
        let url = URL(fileURLWithPath: path)
        guard stated != nil || url.isProtectedFile || url.isInProtectedDirectory else {
            return super.createFile(atPath: path, contents: contents, attributes: attributes)
        }
        do {
            let fileClass = name.flatMap { FileClass(appleName: $0) }
            try (contents ?? Data()).write(url, fileClass)
            if !rest.isEmpty { try super.setAttributes(rest, ofItemAtPath: path) }
            return true
        } catch { return false }
    }

    /// Returns the opened content of a protected file; the content of any other file as Foundation
    /// reads it.
    override func contents(atPath path: String) -> Data? {
        let url = URL(fileURLWithPath: path)
        guard url.isProtectedFile else { return super.contents(atPath: path) }
        return try? Data(contentsOfProtectedFile: url)
    }

    /// Removes a file, or a directory with its content.
    ///
    /// The keys of protected files are destroyed first.
    override func removeItem(atPath path: String) throws {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil,
            FileContainer.isProtected(path)
        else {
            let type = try? super.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            if type == .typeDirectory { FileDestruction.removeAll(below: path) }
            return try super.removeItem(atPath: path)
        }
        try FileFailure.translating(URL(fileURLWithPath: path), isWriting: true) {
            () throws(FileFailure) in try FileDestruction.remove(path)
        }
    }

    /// Removes a file or a directory, as `removeItem(atPath:)` does.
    override func removeItem(at url: URL) throws { try removeItem(atPath: url.path) }
}

extension FileManager {
    /// The file manager that supports protected files.
    public static let protected: FileManager = ProtectingFiles()
}
