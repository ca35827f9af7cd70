import Secrets
import TestSupport
import Testing

@testable import KeychainWire

@Suite struct `A buffer for messages` {
    private static func filled(_ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
    }

    private func append(_ bytes: [UInt8], to buffer: inout WireBuffer) {
        bytes.withUnsafeBytes { buffer.append($0) }
    }

    @Test(arguments: [0, 1, 4096, 4097, 100_000])
    func `keeps what is appended in pieces`(byteCount: Int) {
        let bytes = Self.filled(byteCount)
        var buffer = WireBuffer()
        stride(from: 0, to: byteCount, by: 997).forEach { offset in
            append(Array(bytes[offset..<min(offset + 997, byteCount)]), to: &buffer)
        }
        let found = buffer.withUnsafeBytes { [UInt8]($0) }
        #expect(found == bytes)
        #expect(buffer.byteCount == byteCount)
    }

    @Test(arguments: [100, 10_000, 100_000])
    func `is wiped by a reset, and used again`(byteCount: Int) {
        var buffer = WireBuffer()
        append(Self.filled(byteCount), to: &buffer)
        buffer.reset()
        #expect(buffer.byteCount == 0)
        var rest = -1
        _ = buffer.append(atMost: byteCount) { free in
            rest = free.count { $0 != 0 }
            return free.count
        }
        #expect(rest == 0)
    }

    @Test func `lends no more than has arrived already, or a page`() {
        var buffer = WireBuffer()
        var lent: [Int] = []
        (0..<4).forEach { _ in
            _ = buffer.append(atMost: 1 << 24) { free in
                lent.append(free.count)
                return free.count
            }
        }
        #expect(lent == [4096, 4096, 8192, 16_384])
        let tail = buffer.append(atMost: 7) { free in free.count }
        #expect(tail == 7)
    }

    @Test func `counts only what was filled`() {
        var buffer = WireBuffer()
        let count = buffer.append(atMost: 100) { free in
            free[0] = 9
            return 1
        }
        #expect(count == 1)
        let bytes = buffer.withUnsafeBytes { [UInt8]($0) }
        #expect(bytes == [9])
    }
}
