import Foundation

#if !canImport(Darwin)
    import ProtectedFiles
#endif

extension PlainFile {
    #if canImport(Darwin)
        /// Writes a draft, and renames it if the file's bytes are as expected.
        func rewrite(
            _ bytes: Data,
            _ draft: String,
            mode: UInt32,
            limit: UInt32,
            if isExpected: (Data?) -> Bool
        ) throws(SourceFailure) -> Bool {
            var status = stat()
            let isNew = lstat(url.path, &status) != 0
            let kept = isNew ? mode : UInt32(status.st_mode) & 0o7777 & limit
            let draft = url.deletingLastPathComponent().appendingPathComponent(draft)
            defer { unlink(draft.path) }
            let rights: [FileAttributeKey: Any] = [.posixPermissions: kept]
            guard
                FileManager.default.createFile(
                    atPath: draft.path,
                    contents: bytes,
                    attributes: rights
                )
            else { throw SourceFailure(.undeletable, name) }
            guard isExpected(try read()) else { return false }
            guard rename(draft.path, url.path) == 0 else { throw SourceFailure(.undeletable, name) }
            return true
        }
    #else
        /// Lets a new file take the name of this one if its bytes are as expected.
        ///
        /// - Returns: Whether they were.
        func rewrite(
            _ bytes: Data,
            _ draft: String,
            mode: UInt32,
            limit: UInt32,
            if isExpected: (Data?) -> Bool
        ) throws(SourceFailure) -> Bool {
            do throws(FileFailure) {
                return try ProtectedFiles.PlainFile.rewrite(
                    url.path,
                    with: [UInt8](bytes),
                    draft: draft,
                    .init(new: mode, limit: limit),
                    ifStill: { isExpected($0.map { Data($0) }) }
                )
            } catch {
                guard case .busy = error else { throw SourceFailure(.undeletable, name) }
                throw SourceFailure(.inUse, "another program has \(name) open")
            }
        }
    #endif
}
