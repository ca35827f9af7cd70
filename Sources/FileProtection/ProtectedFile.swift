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
/// Writes are durable when `synchronize()` or `close()` returns. A file has many readers or one
/// writer; a later program gets `ProtectedFileError.busy`.
///
/// `@unchecked Sendable` is sound because the container is reached only under the lock.
public final class ProtectedFile: @unchecked Sendable {
    /// The location of the file.
    public let url: URL
    private let container: AdaptiveMutex<OpenState>

    private struct OpenState {
        let container: FileContainer
        var offset = 0
    }

    private init(_ url: URL, _ container: FileContainer) {
        self.url = url
        // No other code has the container.
        nonisolated(unsafe) let state = OpenState(container: container)
        self.container = AdaptiveMutex(state)
    }

    deinit { try? close() }

    /// Opens a protected file that exists.
    ///
    /// With `forUpdating` the file can be written too; it then has no other reader.
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

    /// Creates an empty protected file and opens it for updating.
    ///
    /// Without a class, the directory's is used, or else `completeUntilFirstUserAuthentication`.
    /// Programs of the access group may open it; without one, the default group is used. A file of
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

// The functions for the content.
extension ProtectedFile {
    /// The length of the content in bytes.
    public var length: UInt64 { container.withLock { UInt64($0.container.byteCount) } }

    /// Returns the offset of the next read or write.
    public func offset() -> UInt64 { container.withLock { UInt64($0.offset) } }

    /// Sets the offset of the next read or write, which may be behind the end.
    public func seek(toOffset offset: UInt64) {
        container.withLock { $0.offset = Int(clamping: offset) }
    }

    /// Sets the offset of the next read or write to the end, and returns it.
    @discardableResult public func seekToEnd() -> UInt64 {
        container.withLock { state in
            state.offset = state.container.byteCount
            return UInt64(state.offset)
        }
    }

    /// Reads from the present offset on.
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

    /// Reads from the present offset to the end; nil at the end.
    ///
    /// - Throws: The errors of `read(upToCount:)`, and `CocoaError.fileReadTooLarge` (263) for
    ///   content beyond this machine's memory.
    public func readToEnd() throws -> Data? { try read(upToCount: Int.max) }

    /// Reads at an offset; the present offset stays.
    public func read(at offset: UInt64, upToCount count: Int) throws -> Data {
        try using { state throws(FileFailure) in
            try state.container.data(at: Int(clamping: offset), count)
        }
    }

    /// Writes at the present offset.
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

    /// Writes at an offset; the present offset stays.
    public func write(contentsOf data: some DataProtocol, at offset: UInt64) throws {
        try using(isWriting: true) { state throws(FileFailure) in
            var place = Int(clamping: offset)
            for region in data.regions {
                place += try state.container.write(region, at: place)
            }
        }
    }

    /// Changes the length; added bytes are zeros and take no space.
    public func truncate(atOffset offset: UInt64) throws {
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.truncate(to: Int(clamping: offset))
            state.offset = Int(clamping: offset)
        }
    }

    /// Makes all writes durable.
    public func synchronize() throws {
        try using(isWriting: true) { state throws(FileFailure) in try state.container.flush() }
    }

    /// Makes all writes durable, wipes the key, and closes the file.
    public func close() throws {
        try using(isWriting: true) { state throws(FileFailure) in try state.container.close() }
    }
}

// The properties of the file.
extension ProtectedFile {
    /// The class of the file.
    public var protection: FileProtectionType {
        container.withLock { FileProtectionType($0.container.fileClass) }
    }

    /// The access group whose programs may open the file.
    public var accessGroup: String { container.withLock { $0.container.group } }

    /// Whether backups exclude the file.
    public var isExcludedFromBackup: Bool {
        container.withLock { $0.container.isExcludedFromBackup }
    }

    /// Moves the file to another class; the content is not written again.
    public func setProtection(_ protection: FileProtectionType) throws {
        let fileClass = try FileClass(protection)
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.move(to: fileClass)
        }
    }

    /// Wraps the key of the file under the newest keys of its class.
    public func rewrap() throws {
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.move(to: state.container.fileClass)
        }
    }

    /// Sets whether backups exclude the file.
    public func setExcludedFromBackup(_ isExcluded: Bool) throws {
        try using(isWriting: true) { state throws(FileFailure) in
            try state.container.setExcludedFromBackup(isExcluded)
        }
    }
}

// The asynchronous forms, for which the caller's task waits and its thread does not.
extension ProtectedFile {
    /// Reads as `read(upToCount:)` does, on another thread.
    public func read(upToCount count: Int) async throws -> Data? {
        try await elsewhere { try self.read(upToCount: count) }
    }

    /// Writes as `write(contentsOf:)` does, on another thread.
    public func write(contentsOf data: Data) async throws {
        try await elsewhere { try self.write(contentsOf: data) }
    }

    /// Makes all writes durable, on another thread.
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
    /// Returns a source for the keychain that calls here reach now.
    static func ambient() throws(FileFailure) -> FileKeySource {
        let endpoint: any Endpoint
        do throws(KeychainError) { endpoint = try RequestRouter.endpoint() } catch {
            throw .keychain(error)
        }
        return FileKeySource { request throws(KeychainError) in try endpoint.send(request) }
    }
}
