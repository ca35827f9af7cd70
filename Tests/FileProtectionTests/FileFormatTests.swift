import Cryptography
import Foundation
import Glibc
import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct `A protected file on the disk` {
    private let keys = MemoryFileKeys()
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func make(
        _ bytes: [UInt8],
        _ fileClass: FileClass = .complete,
        _ name: String = "a"
    ) throws {
        let file = try FileContainer.create(folder(name), fileClass, keys.source)
        try file.put(bytes)
        try file.close()
    }

    @Test(arguments: FileClass.allCases)
    func `has the bytes of its specification`(fileClass: FileClass) throws {
        let content = pattern(70_000)
        try make(content, fileClass)
        let bytes = try contents(folder("a"))
        #expect(bytes.count == 8192 + 65536 + 28 + 4464 + 28)
        #expect(Array(bytes[..<12]) == Array("swprotfl".utf8) + [0, 1, fileClass.rawValue, 16])
        #expect(Array(bytes[..<4096]) == Array(bytes[4096..<8192]))
        #expect(Array(bytes[128..<137]) == Array("TEAM.app".utf8) + [0])
        // Opened here without the code that wrote it.
        let wrapped = try HeaderSlot(Array(bytes[..<4096])).key
        let fileKey = try keys.unwrap(wrapped)
        let sealedPart = try AESGCM.open(
            Array(bytes[652..<4096]),
            key: derived(fileKey, "header", bytes),
            nonce: Array(bytes[640..<652]),
            authenticating: Array(bytes[..<640])
        ).copyBytesUnprotected()
        #expect(Array(sealedPart[..<8]) == [0, 0, 0, 0, 0, 1, 0x11, 0x70])
        #expect(sealedPart[8...].allSatisfy { $0 == 0 })
        let contentKey = try derived(fileKey, "content", bytes)
        let first = try chunk(0, bytes[8192..<8192 + 65564], contentKey, bytes)
        let second = try chunk(1, bytes[(8192 + 65564)...], contentKey, bytes)
        #expect(first + second == content)
    }

    private func derived(
        _ key: borrowing Secret,
        _ purpose: String,
        _ bytes: [UInt8]
    ) throws -> Secret {
        let info = Array("swprotfl \(purpose)".utf8)
        return try HKDF.deriveKey(from: key, salt: Array(bytes[16..<32]), info: info, byteCount: 32)
    }

    private func chunk(
        _ number: UInt8,
        _ sealed: ArraySlice<UInt8>,
        _ key: borrowing Secret,
        _ bytes: [UInt8]
    ) throws -> [UInt8] {
        try AESGCM.open(
            Array(sealed.dropFirst(12)),
            key: key,
            nonce: Array(sealed.prefix(12)),
            authenticating: Array(bytes[16..<32]) + [0, 0, 0, 0, 0, 0, 0, number]
        ).copyBytesUnprotected()
    }

    @Test(.requirement("FDP-09")) func `has a key of its own, which deletion destroys`() throws {
        let content = pattern(1000)
        try make(content, .none, "a")
        try make(content, .none, "b")
        let (a, b) = (try contents(folder("a")), try contents(folder("b")))
        let one = try keys.unwrap(HeaderSlot(Array(a[..<4096])).key).copyBytesUnprotected()
        let two = try keys.unwrap(HeaderSlot(Array(b[..<4096])).key).copyBytesUnprotected()
        #expect(one.count == 32)
        #expect(one != two)
        // Whoever has it open sees what deletion leaves of the file.
        let open = try FileHandle(forReadingFrom: folder.url("a"))
        try FileDestruction.remove(folder("a"))
        #expect(folder.names == ["b"])
        let left = [UInt8](try #require(try open.readToEnd()))
        try replace(folder("left"), left)
        #expect(left.prefix(8192).allSatisfy { $0 == 0 })
        #expect(Array(left[8192...]) == Array(a[8192...]))
        #expect(throws: FileFailure.notProtected(folder("left"))) {
            try FileContainer.open(folder("left"), isWritable: false, keys.source)
        }
        // Nor does the header of another file open it.
        try replace(folder("left"), Array(b[..<8192]) + left[8192...])
        let file = try FileContainer.open(folder("left"), isWritable: false, keys.source)
        #expect(throws: FileFailure.damaged(folder("left"), .chunk(0))) { try file.all() }
    }

    @Test func `is deleted also when it is damaged, and a plain one is not`() throws {
        try make(pattern(1000), .none, "a")
        let whole = try contents(folder("a"))
        try replace(folder("a"), Array(whole.prefix(4000)))
        try FileDestruction.remove(folder("a"))
        #expect(folder.names.isEmpty)
        try replace(folder("plain"), pattern(10))
        #expect(throws: FileFailure.notProtected(folder("plain"))) {
            try FileDestruction.remove(folder("plain"))
        }
        #expect(folder.names == ["plain"])
    }

    @Test(.requirement("FDP-05")) func `is in the third class if nobody names one`() throws {
        let file = try NewFile(folder("a"), nil, keys.source)
        try file.publish(replacing: false)
        #expect(file.container.fileClass == .completeUntilFirstUserAuthentication)
        #expect(try contents(folder("a"))[10] == 3)
    }

    @Test func `grows without taking space, and reads as zeros`() throws {
        let file = try FileContainer.create(folder("a"), .none, keys.source)
        try file.truncate(to: 1 << 40)
        try file.put([7], at: 3 << 30)
        try file.put([8], at: (1 << 40) + 5)
        try file.close()
        var facts = stat()
        #expect(stat(folder("a"), &facts) == 0)
        #expect(facts.st_size > 1 << 40)
        #expect(facts.st_blocks * 512 < 1 << 20)
        let again = try FileContainer.open(folder("a"), isWritable: false, keys.source)
        #expect(again.byteCount == (1 << 40) + 6)
        #expect(try again.some((3 << 30) - 2, 5) == [0, 0, 7, 0, 0])
        #expect(try again.some(1 << 35, 3) == [0, 0, 0])
        #expect(try again.some(1 << 40, 10) == [0, 0, 0, 0, 0, 8])
    }

    @Test func `has more holes than its header names`() throws {
        let file = try FileContainer.create(folder("a"), .none, keys.source)
        let chunk = FileLayout.chunkByteCount
        try (0..<450).forEach { try file.put([UInt8($0 & 255)], at: $0 * 2 * chunk) }
        try file.close()
        let again = try FileContainer.open(folder("a"), isWritable: true, keys.source)
        #expect(again.committed.holes.ranges.count == FileState.holeLimit)
        let found = try (0..<450).map { try again.some($0 * 2 * chunk, 1)[0] }
        #expect(found == (0..<450).map { UInt8($0 & 255) })
        #expect(try again.some(449 * 2 * chunk - 1, 2) == [0, 193])
    }

    @Test func `is open for many readers or one writer`() throws {
        try make(pattern(10))
        let one = try FileContainer.open(folder("a"), isWritable: false, keys.source)
        let two = try FileContainer.open(folder("a"), isWritable: false, keys.source)
        #expect(try one.all() == two.all())
        #expect(throws: FileFailure.busy(folder("a"))) {
            try FileContainer.open(folder("a"), isWritable: true, keys.source)
        }
        #expect(throws: FileFailure.busy(folder("a"))) { try FileDestruction.remove(folder("a")) }
        #expect(throws: FileFailure.notWritable) { try one.put([1]) }
        try one.close()
        #expect(throws: FileFailure.closed) { try one.all() }
    }

    @Test func `changes its class without a trace of the old wrapping`() throws {
        try make(pattern(100), .none)
        let before = try contents(folder("a"))
        let file = try FileContainer.open(folder("a"), isWritable: true, keys.source)
        try file.move(to: .complete)
        try file.close()
        let after = try contents(folder("a"))
        #expect(after[10] == 1 && after[4096 + 10] == 1)
        #expect(Array(after[8192...]) == Array(before[8192...]))
        let wrapped = Array(before[88..<128])
        #expect(!after.indices.dropLast(40).contains { Array(after[$0..<$0 + 40]) == wrapped })
        keys.lock()
        #expect(throws: (any Error).self) {
            try FileContainer.open(folder("a"), isWritable: false, keys.source)
        }
    }

    @Test(arguments: [
        ENODATA, ENOTTY, EOPNOTSUPP, EACCES, 0,
    ])
    func `tells what the file system could do`(code: Int32) {
        let expected: [Int32: BackingProbe.DirectoryEncryption] = [
            ENODATA: .possible, ENOTTY: .unsupported, EOPNOTSUPP: .unsupported,
            EACCES: .unknown(code: EACCES), 0: .active(version: 2),
        ]
        #expect(BackingProbe.encryption(code == 0 ? 2 : -1, code) == expected[code])
    }

    @Test(
        .requirement("FDP-16"),
        arguments: [("/dev/shm", "tmpfs"), ("/proc", "0x9fa0")]
    )
    func `is told by the probe which file system it is, and that it encrypts nothing`(
        place: String,
        name: String
    ) throws {
        let probe = try BackingProbe(place)
        #expect(probe.fileSystem == name)
        #expect(probe.encryption == .unsupported)
        #expect(probe.reason == "\(name) has no fscrypt here")
    }

    @Test(.requirement("FDP-16")) func `is a container, whatever the probe says`() throws {
        let content = pattern(1000)
        try make(content)
        #expect(FileContainer.isProtected(folder("a")))
        let bytes = try contents(folder("a"))
        #expect(bytes.firstRange(of: content[..<100]) == nil)
        let probe = try BackingProbe(folder("a"))
        #expect(try probe == BackingProbe(folder.path))
        let plain = folder("plain")
        #expect(FileManager.default.createFile(atPath: plain, contents: Data(content)))
        #expect(!FileContainer.isProtected(plain))
    }
}
