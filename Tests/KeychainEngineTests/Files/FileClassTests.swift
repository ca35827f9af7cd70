import Cryptography
import DataProtection
import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The key of a file` {
    private let storage = MemoryStorage()

    /// A device that has key sets and is unlocked.
    private func unlocked() throws -> (fixture: EngineFixture, program: FileProgram) {
        let fixture = try EngineFixture(storage: storage)
        try fixture.unlock()
        return (fixture, FileProgram(fixture.engine))
    }

    @Test(.requirement("FDP-01", "FDP-11"))
    func `of Complete goes ten seconds after a lock, with the items for While Unlocked`() throws {
        let (fixture, program) = try unlocked()
        fixture.keychain.add(password())
        let file = try program.make(.complete)
        #expect(try program.open(file.wrapped) == file.key)
        try fixture.engine.lock(grace: .seconds(10))
        fixture.clock.advance(seconds: 9.9)
        #expect(try program.open(file.wrapped) == file.key)
        #expect(program.status(.check(file.wrapped)) == .success)
        #expect(fixture.keychain.read(password()) == .value("open sesame"))
        #expect(try fixture.engine.lockState().isAvailable)
        fixture.clock.advance(seconds: 0.2)
        let refused: [SecurityStatus] = [.interactionNotAllowed, .interactionNotAllowed]
        #expect(program.statuses(file.wrapped) == refused)
        #expect(throws: KeychainError.self) { try program.make(.complete) }
        #expect(fixture.keychain.read(password()) == .notAllowed)
        #expect(try !fixture.engine.lockState().isAvailable)
        try fixture.unlock()
        #expect(program.statuses(file.wrapped) == [.success, .success])
    }

    @Test(.requirement("FDP-03"))
    func `of CompleteUnlessOpen is made while locked, and opens after the unlock`() throws {
        let (fixture, program) = try unlocked()
        let first = try program.make(.completeUnlessOpen)
        try fixture.engine.lock()
        let file = try program.make(.completeUnlessOpen)
        #expect(file.wrapped.ephemeralPublicKey != first.wrapped.ephemeralPublicKey)
        #expect(file.wrapped.ephemeralPublicKey.count == 32)
        #expect(program.statuses(file.wrapped) == [.interactionNotAllowed, .success])
        let hasPrivateHalf = try fixture.inside { state throws(KeychainError) in
            state.session.device.isAvailable(FileClass.completeUnlessOpen.guardian)
        }
        #expect(!hasPrivateHalf)
        try fixture.engine.reboot()
        let early = try program.make(.completeUnlessOpen)
        try fixture.unlock()
        let keys = try [file, early].map { try program.open($0.wrapped) }
        #expect(keys == [file.key, early.key])
    }

    @Test(.requirement("FDP-04"))
    func `of CompleteUntilFirstUserAuthentication opens from the first unlock on`() throws {
        let file: (wrapped: WrappedFileKey, key: [UInt8])
        let (fixture, program) = try unlocked()
        file = try program.make(.completeUntilFirstUserAuthentication)
        try fixture.engine.lock()
        #expect(try program.open(file.wrapped) == file.key)
        try fixture.engine.reboot()
        let refused: [SecurityStatus] = [.interactionNotAllowed, .interactionNotAllowed]
        #expect(program.statuses(file.wrapped) == refused)
        try fixture.unlock()
        try fixture.engine.lock()
        #expect(try program.open(file.wrapped) == file.key)
    }

    @Test(.requirement("FDP-05"))
    func `that names no class is of CompleteUntilFirstUserAuthentication`() throws {
        let (_, program) = try unlocked()
        let file = try program.make(.default)
        #expect(file.wrapped.fileClass == .completeUntilFirstUserAuthentication)
    }

    @Test(.requirement("FDP-06"))
    func `of None always opens here, and on no other device`() throws {
        let (fixture, program) = try unlocked()
        let file = try program.make(.none)
        try fixture.engine.reboot()
        #expect(try program.open(file.wrapped) == file.key)
        #expect(program.status(.check(file.wrapped)) == .success)
        let other = try EngineFixture.unlocked()
        let stranger = FileProgram(other.engine)
        _ = try stranger.make(.none)
        #expect(stranger.status(.open(file.wrapped)) == .decode)
        let alike = file.wrapped.with(keySet: try stranger.make(.none).wrapped.keySet)
        #expect(stranger.status(.open(alike)) == .decode)
    }

    @Test func `of another program's group is refused`() throws {
        let (fixture, program) = try unlocked()
        let file = try program.make(.none, group: "TEAM.shared")
        #expect(file.wrapped.group == "TEAM.shared")
        #expect(try program.make(.none).wrapped.group == "TEAM.app")
        let stranger = FileProgram(fixture.engine, groups: ["TEAM.other"])
        let requests: [FileKeyRequest] = [
            .make(.none, file: file.wrapped.file, group: "TEAM.shared"), .open(file.wrapped),
            .move(file.wrapped, to: .complete), .check(file.wrapped),
        ]
        #expect(requests.map(stranger.status) == requests.map { _ in .missingEntitlement })
        let sharing = FileProgram(fixture.engine, groups: ["TEAM.shared"])
        #expect(try sharing.open(file.wrapped) == file.key)
    }

    @Test(arguments: FileClass.allCases)
    func `opens as what was wrapped, and with no part changed`(fileClass: FileClass) throws {
        let (_, program) = try unlocked()
        let file = try program.make(fileClass)
        let wrapped = file.wrapped
        #expect(try program.open(wrapped) == file.key)
        let others = FileClass.allCases.filter { $0 != fileClass }
        let changed =
            [
                wrapped.with(file: Array(0x90...0x9F)), wrapped.with(group: "TEAM.shared"),
                wrapped.with(keySet: Array(repeating: 0, count: 16)),
                wrapped.with(wrapped: [wrapped.wrapped[0] ^ 1] + wrapped.wrapped.dropFirst()),
                wrapped.with(wrapped: []), wrapped.with(ephemeralPublicKey: [1]),
                wrapped.with(ephemeralPublicKey: Array(repeating: 0, count: 32)),
            ] + others.map { wrapped.with(fileClass: $0) }
        #expect(changed.map { program.status(.open($0)) } == changed.map { _ in .decode })
    }

    @Test(arguments: FileClass.allCases, FileClass.allCases)
    func `moves to a class, and is the same key`(from: FileClass, to: FileClass) throws {
        let (fixture, program) = try unlocked()
        let file = try program.make(from)
        let moved = try program.move(file.wrapped, to: to)
        #expect(moved.fileClass == to)
        #expect(try program.open(moved) == file.key)
        try fixture.engine.lock()
        let isOpen = from == .none || from == .completeUntilFirstUserAuthentication
        let expected: SecurityStatus = isOpen ? .success : .interactionNotAllowed
        #expect(program.status(.move(file.wrapped, to: .none)) == expected)
    }

    @Test func `of a keychain without key sets needs an unlocked one once`() throws {
        let fixture = try EngineFixture(storage: storage)
        let program = FileProgram(fixture.engine)
        let file = try #require(FileProgram.file)
        #expect(program.status(.make(.none, file: file, group: nil)) == .interactionNotAllowed)
        try fixture.unlock()
        try fixture.engine.lock()
        #expect(program.status(.make(.none, file: file, group: nil)) == .interactionNotAllowed)
        try fixture.unlock()
        _ = try program.make(.complete)
        try fixture.engine.lock()
        _ = try program.make(.none)
    }
}

/// The bytes of `Documentation/Spec/file-keys.md` §5, worked out by another implementation.
@Suite struct `A wrapped key of a file` {
    private let key = EngineFixture.bytes(0xA0...0xBF)
    private let classKey = EngineFixture.bytes(0x40...0x5F)

    private func cipher(_ fileClass: FileClass) throws -> FileKeyCipher {
        let file = try #require(FileProgram.file)
        return FileKeyCipher(fileClass: fileClass, file: file, group: "TEAM.app")
    }

    @Test func `has the bytes of the specification`() throws {
        let cipher = try cipher(.completeUntilFirstUserAuthentication)
        let wrapped = try cipher.wrap(key.secret, under: classKey.secret)
        #expect(
            wrapped
                == bytes(
                    "9c36332197190c126b92765b82afe7ad"
                        + "f2a8856737b57e1914d13a3399e3a72f94a5cb70df9889b7"
                )
        )
        let opened = try cipher.unwrap(wrapped, under: classKey.secret)
        #expect(opened.copyBytesUnprotected() == Array(0xA0...0xBF))
    }

    @Test(.requirement("FDP-03"))
    func `of CompleteUnlessOpen has the bytes of the specification`() throws {
        let cipher = try cipher(.completeUnlessOpen)
        let publicKey = "79a631eede1bf9c98f12032cdeadd0e7a079398fc786b88cc846ec89af85a51a"
        let lookupKey = EngineFixture.bytes(0x20...0x3F)
        let maker = try FileMakerKey.derive(lookupKey: lookupKey.secret)
        let makerKey = "fb8ce3a9fa2af09c35b241d7a9ede37f60e1e962709f2a164bf2f218a4f7d5c8"
        #expect(maker.copyBytesUnprotected() == bytes(makerKey))
        let made = try cipher.wrap(
            key.secret,
            for: bytes(publicKey),
            maker: maker,
            ephemeral: EngineFixture.bytes(0xC0...0xDF).secret
        )
        let passing = "dc2cca31e8e43bbd91dff7e475cca3347eb478107d5bd765aba4ae4a30c35d44"
        #expect(made.ephemeralPublicKey == bytes(passing))
        #expect(
            made.wrapped
                == bytes(
                    "3befe1e3a2badb6eed1c2ce6c5b8cd87"
                        + "977da52bbec63c2afdca93a8b3f02769510a68afcbfa7735"
                )
        )
        let opened = try cipher.unwrap(
            made.wrapped,
            from: made.ephemeralPublicKey,
            maker: maker,
            with: classKey.secret
        )
        #expect(opened.copyBytesUnprotected() == Array(0xA0...0xBF))
    }

    @Test func `has a class key whose row's code is the specification's`() throws {
        let row = FileKeyRow(
            number: 2,
            name: Array(0xF0...0xFF),
            fileClass: .completeUnlessOpen,
            publicKey: bytes("79a631eede1bf9c98f12032cdeadd0e7a079398fc786b88cc846ec89af85a51a"),
            wrapped: bytes(
                "aef6c3b2a17bcf00169e0ffdfe3496ca"
                    + "fe5d92035ff7298e69f643a94dad8a8902aad6815775b740"
            )
        )
        let lookupKey = EngineFixture.bytes(0x20...0x3F)
        let code = try FileKeyRowCode(lookupKey: lookupKey.secret).code(of: row)
        let expected = "464d867a4fbf1b7cc5158f99c590ac3bdfdd95370335cf19f39ca6e25e2c64d1"
        #expect(code == bytes(expected))
    }
}

extension EngineFixture {
    /// Bytes that follow one another, as a key.
    static func bytes(_ range: ClosedRange<UInt8>) -> SharedSecret {
        SharedSecret(Secret(copying: Array(range)))
    }
}
