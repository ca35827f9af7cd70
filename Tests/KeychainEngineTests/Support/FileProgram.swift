import EngineTestSupport
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

@testable import KeychainEngine

/// A program with protected files, as far as their keys are concerned.
struct FileProgram {
    static let file = FileIdentifier(Array(0x80...0x8F))

    let endpoint: EngineEndpoint

    init(_ engine: Engine, groups: [String] = EngineFixture.groups) {
        let caller = TestKeychain.caller(groups)
        endpoint = EngineEndpoint(engine: engine, caller: caller, note: { _ in })
    }

    /// Makes a file: what its header keeps, and its key.
    func make(
        _ fileClass: FileClass,
        group: String? = nil
    ) throws(KeychainError) -> (wrapped: WrappedFileKey, key: [UInt8]) {
        guard let file = Self.file else { throw .unexpectedReply }
        let request = FileKeyRequest.make(fileClass, file: file, group: group)
        guard case .made(let wrapped, let key) = try endpoint.send(request) else {
            throw .unexpectedReply
        }
        return (wrapped, key.secret.copyBytesUnprotected())
    }

    /// The key of a file.
    func open(_ wrapped: WrappedFileKey) throws(KeychainError) -> [UInt8] {
        guard case .key(let key) = try endpoint.send(FileKeyRequest.open(wrapped)) else {
            throw .unexpectedReply
        }
        return key.secret.copyBytesUnprotected()
    }

    func move(
        _ wrapped: WrappedFileKey,
        to fileClass: FileClass
    ) throws(KeychainError) -> WrappedFileKey {
        let request = FileKeyRequest.move(wrapped, to: fileClass)
        guard case .moved(let moved) = try endpoint.send(request) else { throw .unexpectedReply }
        return moved
    }

    func status(_ request: FileKeyRequest) -> SecurityStatus {
        TestKeychain(endpoint).status(.fileKeys(request))
    }

    /// What a closed file answers, and what an open one does.
    func statuses(_ wrapped: WrappedFileKey) -> [SecurityStatus] {
        [status(.open(wrapped)), status(.check(wrapped))]
    }
}

extension ItemVault {
    /// Adds so many sets that have a key of the class None alone.
    func addForeignSets(_ count: Int, _ wrapped: [UInt8]) throws(KeychainError) {
        let first = try store.nextFileKeyNumber()
        for number in first..<first + Int64(count) {
            let row = FileKeyRow(
                number: number,
                name: Array("set \(number)".utf8),
                fileClass: .none,
                publicKey: [],
                wrapped: wrapped
            )
            try store.insert(row)
        }
    }
}

extension WrappedFileKey {
    /// The same with other parts.
    func with(
        fileClass: FileClass? = nil,
        file: [UInt8]? = nil,
        group: String? = nil,
        keySet: [UInt8]? = nil,
        ephemeralPublicKey: [UInt8]? = nil,
        wrapped: [UInt8]? = nil
    ) -> WrappedFileKey {
        WrappedFileKey(
            fileClass ?? self.fileClass,
            file: file.flatMap(FileIdentifier.init) ?? self.file,
            group: group ?? self.group,
            keySet: keySet ?? self.keySet,
            ephemeralPublicKey: ephemeralPublicKey ?? self.ephemeralPublicKey,
            wrapped: wrapped ?? self.wrapped
        )
    }
}
