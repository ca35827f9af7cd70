import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import ProtectedFiles
import Secrets

/// A file whose content locks with the keychain, open for reading or writing.
///
/// Each file has its own AES-256 key, which the keychain wraps for the class of the file.
///
/// ```swift
/// let file = try ProtectedFile(creating: url, protection: .complete)
/// try file.write(contentsOf: Data("dear diary".utf8))
/// try file.close()
/// ```
///
/// What is written is durable when `synchronize()` or `close()` returns. A file has many readers
/// or one writer; whoever comes late gets `ProtectedFileError.busy`.
///
/// `@unchecked Sendable` is sound because the container is reached under the lock alone.
public final class ProtectedFile: @unchecked Sendable {
    /// Where the file is.
    public let url: URL
    private let container: AdaptiveMutex<OpenState>

    private struct OpenState {
        let container: FileContainer
        var offset = 0
    }

    private init(_ url: URL, _ container: FileContainer) {
        self.url = url
        // Nobody else has the container.
        nonisolated(unsafe) let state = OpenState(container: container)
        self.container = AdaptiveMutex(state)
    }

    deinit { try? close() }

    /// Opens a protected file that exists.
    ///
    /// For updating the file may be written too; it then has no other reader.
    ///
    /// - Throws: `CocoaError.fileReadNoPermission` (257) while the class of the file is locked;
    ///   `ProtectedFileError`.
    public convenience init(opening url: URL, forUpdating isForUpdating: Bool = false) throws {
        let container = try FileFailure.translating(url, isWriting: false) {
            () throws(FileFailure) in
            try FileContainer.open(url.path, isWritable: isForUpdating, .ambient())
        }
        self.init(url, container)
    }

    /// Makes an empty protected file and opens it for updating.
    ///
    /// Without a class the directory's counts, or else `completeUntilFirstUserAuthentication`.
    /// Programs of the access group may open it; without one the default group counts. A file of
    /// that name is an error, unless it is to be replaced.
    ///
    /// - Throws: `CocoaError.fileWriteNoPermission` (513) while the class is locked. Class
    ///   `completeUnlessOpen` is never locked here.
    public convenience init(
        creating url: URL,
        protection: FileProtectionType? = nil,
        accessGroup: String? = nil,
        replacing isReplacing: Bool = false
    ) throws {
        let fileClass = try protection.map { try FileClass($0) }
        let container = try FileFailure.translating(url, isWriting: true) {
            () throws(FileFailure) in
            let file = try NewFile(url.path, fileClass, group: accessGroup, .ambient())
            try file.publish(replacing: isReplacing)
            return file.container
        }
        self.init(url, container)
    }

    private func using<Value>(
        isWriting: Bool = false,
        _ body: (inout OpenState) throws(FileFailure) -> Value
    ) throws -> Value {
        try FileFailure.translating(url, isWriting: isWriting) { () throws(FileFailure) in
            try container.withLock(body)
        }
    }
}

// Content.
extension ProtectedFile {
    /// The length of the content in bytes.
    public var length: UInt64 { container.withLock { UInt64($0.container.byteCount) } }

    /// Where the next read or write begins.
    public func offset() -> UInt64 { container.withLock { UInt64($0.offset) } }

    /// Lets the next read or write begin at a place, which may be behind the end.
    public func seek(toOffset offset: UInt64) {
        container.withLock { $0.offset = Int(clamping: offset) }
    }

    /// Lets the next read or write begin at the end, which is returned.
    @discardableResult public func seekToEnd() -> UInt64 {
        container.withLock { state in
            state.offset = state.container.byteCount
            return UInt64(state.offset)
        }
    }

    /// Reads from the present place on.
    ///
    /// - Returns: At most `count` bytes; nil at the end.
    /// - Throws: `CocoaError.fileReadNoPermission` (257) while the class is locked.
    public func read(upToCount count: Int) throws -> Data? {
        try using { state throws(FileFailure) in
            let data = try state.container.data(at: state.offset, count)
            state.offset += data.count
            return data.isEmpty && count > 0 ? nil : data
        }
    }

    /// Reads from the present place to the end; nil at the end.
    ///
    /// - Throws: What `read(upToCount:)` throws, and `CocoaError.fileReadTooLarge` (263) for more
    ///   than this machine has memory for.
    public func readToEnd() throws -> Data? { try read(upToCount: Int.max) }

    /// Reads at a place; the present place stays.
    public func read(at offset: UInt64, upToCount count: Int) throws -> Data {
        try using { state throws(FileFailure) in
            try state.container.data(at: Int(clamping: offset), count)
        }
    }

    /// Writes at the present place.
    ///
    /// - Throws: `CocoaError.fileWriteNoPermission` (513) while the class is locked.
    public func write(contentsOf data: some DataProtocol) throws {
        try using(isWriting: true) { state throws(FileFailure) in
            for region in data.regions {
                let count = try state.container.write(region, at: state.offset)
                state.offset += count
            }
        }
    }

    /// Writes at a place; the present place stays.
    public func write(contentsOf data: some DataProtocol, at offset: UInt64) throws {
        try using(isWriting: true) { state throws(FileFailure) in
            var place = Int(clamping: offset)
            for region in data.regions {
                place += try state.container.write(region, at: place)
            }
        }
    }

    /// Changes the length; bytes that are added are zeros and take no space.
    public func truncate(atOffset offset: UInt64) throws {
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.truncate(to: Int(clamping: offset))
            state.offset = Int(clamping: offset)
        }
    }

    /// Makes what was written durable.
    public func synchronize() throws {
        try using(isWriting: true) { state throws(FileFailure) in try state.container.flush() }
    }

    /// Makes what was written durable, wipes the key, and closes the file.
    public func close() throws {
        try using(isWriting: true) { state throws(FileFailure) in try state.container.close() }
    }
}

// Properties.
extension ProtectedFile {
    /// The class of the file.
    public var protection: FileProtectionType {
        container.withLock { FileProtectionType($0.container.fileClass) }
    }

    /// The access group whose programs may open the file.
    public var accessGroup: String { container.withLock { $0.container.group } }

    /// Whether backups leave the file out.
    public var isExcludedFromBackup: Bool {
        container.withLock { $0.container.isExcludedFromBackup }
    }

    /// Gives the file another class; the content is not written again.
    public func setProtection(_ protection: FileProtectionType) throws {
        let fileClass = try FileClass(protection)
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.move(to: fileClass)
        }
    }

    /// Wraps the key of the file for the newest keys of its class.
    public func rewrap() throws {
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.move(to: state.container.fileClass)
        }
    }

    /// Lets backups leave the file out, or take it along.
    public func setExcludedFromBackup(_ isExcluded: Bool) throws {
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.setExcludedFromBackup(isExcluded)
        }
    }
}

// The same, while the caller's task waits and its thread does not.
extension ProtectedFile {
    /// Reads as `read(upToCount:)` does, on another thread.
    public func read(upToCount count: Int) async throws -> Data? {
        try await elsewhere { try self.read(upToCount: count) }
    }

    /// Writes as `write(contentsOf:)` does, on another thread.
    public func write(contentsOf data: Data) async throws {
        try await elsewhere { try self.write(contentsOf: data) }
    }

    /// Makes what was written durable, on another thread.
    public func synchronize() async throws {
        try await elsewhere { try self.synchronize() }
    }

    private func elsewhere<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            RequestRouter.async { continuation.resume(with: Result(catching: work)) }
        }
    }
}

extension FileContainer {
    fileprivate func write(
        _ region: some ContiguousBytes & Collection,
        at offset: Int
    ) throws(FileFailure) -> Int {
        var failure: FileFailure?
        region.withUnsafeBytes { bytes in
            do throws(FileFailure) { try write(bytes, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
        return region.count
    }
}

extension FileKeySource {
    /// The keychain that calls reach here, now.
    static func ambient() throws(FileFailure) -> FileKeySource {
        let endpoint: any Endpoint
        do throws(KeychainError) { endpoint = try RequestRouter.endpoint() } catch {
            throw .keychain(error)
        }
        return FileKeySource { request throws(KeychainError) in try endpoint.send(request) }
    }
}
