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
        own.checkpointLink = digest(1)
        own.owesCheckpoint = true
        own.untoldHeads = [StreamName(unchecked: [UInt8](repeating: 3, count: 40))]
        own.said = [digest(4), digest(5)]
        own.leaving = [KeyName(unchecked: [UInt8](repeating: 6, count: 32))]
        return own
    }()

    private static func digest(_ byte: UInt8) -> SyncDigest {
        SyncDigest(unchecked: [UInt8](repeating: byte, count: 32))
    }

    private func read(_ bytes: [UInt8]) throws -> OwnStream {
        try Secret(copying: bytes).withUnsafeBytes { bytes throws(SyncError) in
            try MemoryRecords.own(bytes)
        }
    }

    @Test(arguments: [OwnStream(), full]) func `is read as it was written`(own: OwnStream) throws {
        let bytes = try MemoryRecords.encode(own).copyBytesUnprotected()
        #expect(try read(bytes) == own)
    }

    @Test func `is refused when it is cut, or goes on`() throws {
        let bytes = try MemoryRecords.encode(Self.full).copyBytesUnprotected()
        let readable = bytes.indices.filter { (try? read(Array(bytes.prefix($0)))) != nil }
        #expect(readable.isEmpty)
        #expect(throws: SyncError.self) { try read(bytes + [0]) }
    }
}
