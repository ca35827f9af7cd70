import Cryptography
import Foundation
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

@testable import ProtectedFiles

/// Keys of files without a keychain: four class keys, two of which a lock takes away.
final class MemoryFileKeys: Sendable {
    private let isLocked = Mutex(false)
    private let keySet = [UInt8](repeating: 9, count: 16)

    func lock() { isLocked.withLock { $0 = true } }
    func unlock() { isLocked.withLock { $0 = false } }

    var source: FileKeySource {
        FileKeySource { request throws(KeychainError) in
            do {
                return try self.answer(request)
            } catch let error as KeychainError {
                throw error
            } catch {
                throw KeychainError(.decode, "the wrapped key does not open")
            }
        }
    }

    private func answer(_ request: FileKeyRequest) throws -> FileKeyReply {
        switch request {
        case .make(let fileClass, let file, let group):
            if fileClass != .completeUnlessOpen { try require(fileClass) }
            let key = try SystemRandomSource().secret(32)
            let wrapped = try wrap(key, fileClass, file, group ?? "TEAM.app")
            return .made(wrapped, key: SharedSecret(key))
        case .open(let key):
            try require(key.fileClass)
            return .key(SharedSecret(try unwrap(key)))
        case .move(let key, let fileClass):
            try require(key.fileClass)
            return .moved(try wrap(try unwrap(key), fileClass, key.file, key.group))
        case .check(let key):
            try require(key.fileClass)
            return .usable
        }
    }

    private func require(_ fileClass: FileClass) throws {
        guard isLocked.withLock({ $0 }) else { return }
        guard fileClass == .complete || fileClass == .completeUnlessOpen else { return }
        throw KeychainError(.interactionNotAllowed, "the device is locked")
    }

    private func wrappingKey(_ fileClass: FileClass, _ group: String) throws -> Secret {
        try HKDF.deriveKey(
            from: Secret(copying: [UInt8](repeating: 1, count: 32)),
            salt: [],
            info: [fileClass.rawValue] + Array(group.utf8),
            byteCount: 32
        )
    }

    private func wrap(
        _ key: borrowing Secret,
        _ fileClass: FileClass,
        _ file: FileIdentifier,
        _ group: String
    ) throws -> WrappedFileKey {
        WrappedFileKey(
            fileClass,
            file: file,
            group: group,
            keySet: keySet,
            ephemeralPublicKey: fileClass == .completeUnlessOpen
                ? [UInt8](repeating: 3, count: 32) : [],
            wrapped: try AESKeyWrap.wrap(key, under: wrappingKey(fileClass, group))
        )
    }

    /// The key of a file, for tests that look at its bytes.
    func unwrap(_ key: WrappedFileKey) throws -> Secret {
        try AESKeyWrap.unwrap(key.wrapped, under: wrappingKey(key.fileClass, key.group))
    }
}

/// A folder for one test, removed with it.
final class Folder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/files-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }
    func url(_ name: String) -> URL { URL(fileURLWithPath: self(name)) }
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

extension FileContainer {
    func put(_ bytes: [UInt8], at offset: Int = 0) throws {
        try bytes.withUnsafeBytes { try write($0, at: offset) }
    }

    func all() throws -> [UInt8] { try some(0, byteCount) }

    func some(_ offset: Int, _ count: Int) throws -> [UInt8] {
        var found = [UInt8](repeating: 0xEE, count: count)
        let done = try found.withUnsafeMutableBytes { try read(into: $0, at: offset) }
        return Array(found.prefix(done))
    }
}

/// Bytes that differ from place to place.
func pattern(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    SeededRandomSource(seed: UInt64(seed) + 1).fillAll(&bytes)
    return bytes
}

extension SeededRandomSource {
    fileprivate func fillAll(_ bytes: inout [UInt8]) { bytes.withUnsafeMutableBytes { fill($0) } }
}

func contents(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

func replace(_ path: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
}
