import KeychainSync
import Secrets
import Testing

@testable import KeychainSyncDriver

@Suite("What a device keeps of its own stream") struct OwnStreamRecordTests {
    static let full: OwnStream = {
        var own = OwnStream()
        own.publishedCount = 9
        own.segmentCount = 3
        own.changeCount = 40
        own.checkpoint = 5
        own.isCheckpointComplete = true
        own.told = [digest(1), digest(2)]
        own.farewells = [
            PeerName(unchecked: [UInt8](repeating: 3, count: 16)): [digest(4), digest(5)],
            PeerName(unchecked: [UInt8](repeating: 6, count: 16)): [],
        ]
        return own
    }()

    private static func digest(_ byte: UInt8) -> SyncDigest {
        SyncDigest(unchecked: [UInt8](repeating: byte, count: 32))
    }

    /// The bytes up to what it tells, as earlier versions wrote them.
    private static let earlierByteCount = 8 + 8 + 8 + 9 + 1 + 4 + 2 * 32

    private func read(_ bytes: [UInt8]) throws -> OwnStream {
        try Secret(copying: bytes).withUnsafeBytes { bytes throws(SyncError) in
            try MemoryRecords.own(bytes)
        }
    }

    @Test(arguments: [OwnStream(), full]) func `is read as it was written`(own: OwnStream) throws {
        let bytes = try MemoryRecords.encode(own).copyBytesUnprotected()
        #expect(try read(bytes) == own)
    }

    @Test func `is read from earlier versions, which kept no farewells`() throws {
        let bytes = try MemoryRecords.encode(Self.full).copyBytesUnprotected()
        let own = try read(Array(bytes.prefix(Self.earlierByteCount)))
        #expect(own.told == Self.full.told)
        #expect(own.farewells.isEmpty)
    }

    @Test func `is refused when it is cut, or goes on`() throws {
        let bytes = try MemoryRecords.encode(Self.full).copyBytesUnprotected()
        let readable = bytes.indices.filter { (try? read(Array(bytes.prefix($0)))) != nil }
        #expect(readable == [Self.earlierByteCount])
        #expect(throws: SyncError.self) { try read(bytes + [0]) }
    }
}
