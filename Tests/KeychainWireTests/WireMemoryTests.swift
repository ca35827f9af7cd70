import Glibc
import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainWire

/// 32 bytes that stand nowhere in memory until they are made.
private func marker() -> Secret {
    Secret(byteCount: 32) { bytes in
        for index in bytes.indices {
            bytes[index] = UInt8(truncatingIfNeeded: index &* 43) ^ 0x5C
        }
    }
}

/// How often the marker stands in memory, this look at it excepted.
private func occurrences() -> Int {
    let pattern = marker()
    return pattern.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
}

@Suite struct `The memory of a process that sends and receives` {
    @Test func `has a value in the secrets and buffers that hold it, and nowhere else`() async {
        await #expect(processExitsWith: .success) {
            var buffer = WireBuffer()
            do {
                let value = SharedSecret(marker())
                try ClientMessage.request(.items(.add(["v": .secret(value)])))
                    .encode(token: nil, into: &buffer)
            }
            guard occurrences() == 1 else { exit(10) }
            do {
                let arrived = try buffer.withUnsafeBytes { try ClientMessage.decode($0) }
                guard occurrences() == 2 else { exit(11) }
                withExtendedLifetime(arrived.message) {}
            }
            buffer.reset()
            exit(occurrences() == 0 ? 0 : 12)
        }
    }

    @Test func `has no copy of a message that grew out of its first memory`() async {
        await #expect(processExitsWith: .success) {
            do {
                var buffer = WireBuffer()
                let value = marker()
                value.withUnsafeBytes { buffer.append($0) }
                [UInt8](repeating: 1, count: 200_000).withUnsafeBytes { buffer.append($0) }
                guard occurrences() == 2 else { exit(10) }
                buffer.reset()
                guard occurrences() == 1 else { exit(11) }
                value.withUnsafeBytes { buffer.append($0) }
            }
            exit(occurrences() == 0 ? 0 : 12)
        }
    }
}
