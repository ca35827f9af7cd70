import Secrets
import TestSupport
import Testing

@Suite struct `A secret` {
    private struct Refusal: Error, Equatable {}

    @Test(arguments: [0, 1, 31, 32, 33, 64, 65, 4095, 4096, 4097, 70_000])
    func `gives back the bytes it was made of`(byteCount: Int) {
        let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        let secret = Secret(copying: bytes)
        #expect(secret.byteCount == byteCount)
        #expect(secret.copyBytesUnprotected() == bytes)
    }

    @Test(arguments: [0, 5, 32, 300, 5000])
    func `starts as zeros of the asked size`(byteCount: Int) {
        let secret = Secret(byteCount: byteCount) { buffer in
            #expect(buffer.count == byteCount)
            #expect(buffer.allSatisfy { $0 == 0 })
        }
        #expect(secret.byteCount == byteCount)
    }

    @Test(arguments: [0, 8, 9000])
    func `passes on the error of the body that should have filled it`(byteCount: Int) {
        #expect(throws: Refusal()) {
            _ = try Secret(byteCount: byteCount) { _ throws(Refusal) in throw Refusal() }
        }
    }

    @Test func `copies raw bytes`() {
        let secret = Secret(copying: [1, 2, 3])
        let copy = secret.withUnsafeBytes { bytes in Secret(copying: bytes) }
        #expect(copy.copyBytesUnprotected() == [1, 2, 3])
    }

    @Test func `outlives the one it was duplicated from`() {
        func duplicateOfShortLivedSecret() -> Secret {
            let original = Secret(copying: [9, 8, 7])
            return original.duplicate()
        }
        let duplicate = duplicateOfShortLivedSecret()
        #expect(duplicate.copyBytesUnprotected() == [9, 8, 7])
    }

    @Test(arguments: [([], []), ([1], []), ([], [2]), ([1, 2], [3])] as [([UInt8], [UInt8])])
    func `joins two others in order`(first: [UInt8], second: [UInt8]) {
        let joined = Secret(
            concatenating: Secret(copying: first),
            Secret(copying: second)
        )
        #expect(joined.copyBytesUnprotected() == first + second)
    }

    @Test(.requirement("STO-18"), arguments: [0, 32])
    func `describes itself by its size alone`(byteCount: Int) {
        let bytes = [UInt8](repeating: 0x41, count: byteCount)
        #expect(Secret(copying: bytes).description == "Secret(\(byteCount) bytes)")
        #expect("\(SharedSecret(Secret(copying: bytes)))" == "Secret(\(byteCount) bytes)")
    }

    @Test func `keeps its bytes when it gets several owners`() {
        let shared = SharedSecret(Secret(copying: [4, 5]))
        let other = shared
        #expect(other.secret.copyBytesUnprotected() == [4, 5])
    }
}
