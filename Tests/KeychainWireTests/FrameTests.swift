import TestSupport
import Testing

@testable import KeychainWire

private func decoded(_ bytes: [UInt8]) throws -> FrameHeader {
    try bytes.withUnsafeBytes { bytes in try FrameHeader(decoding: bytes) }
}

@Suite(.requirement("DMN-16")) struct `The header of a frame` {
    @Test(
        arguments: [
            ([0, 0, 0, 1, 0], FrameHeader(bodyByteCount: 1)),
            ([0, 0, 1, 2, 1], FrameHeader(bodyByteCount: 258, goesOn: true)),
            ([1, 1, 0, 0, 0], FrameHeader(bodyByteCount: FrameHeader.bodyByteCountLimit)),
        ] as [([UInt8], FrameHeader)]
    )
    func `is five bytes`(bytes: [UInt8], header: FrameHeader) throws {
        #expect(try decoded(bytes) == header)
        #expect(header.encoded == bytes)
    }

    @Test(
        arguments: [
            ([], .truncated), ([0, 0, 0, 1], .truncated), ([0, 0, 0, 0, 0], .truncated),
            ([0, 0, 0, 1, 0, 0], .trailingBytes),
            ([0, 0, 0, 1, 2], .unknownValue("flag of a frame")),
            ([0, 0, 0, 1, 0x81], .unknownValue("flag of a frame")),
            ([1, 1, 0, 1, 0], .limitExceeded("size of a frame")),
            ([255, 255, 255, 255, 0], .limitExceeded("size of a frame")),
        ] as [([UInt8], WireError)]
    )
    func `is refused otherwise`(bytes: [UInt8], error: WireError) {
        #expect(throws: error) { try decoded(bytes) }
    }
}

@Suite(.requirement("DMN-16")) struct `The frames of a message` {
    private static let frame = WireLimit.daemonFrameByteCount

    @Test(
        arguments: [
            (0, []), (1, [1]), (frame, [frame]), (frame + 1, [frame, 1]),
            (3 * frame, [frame, frame, frame]),
        ] as [(Int, [Int])]
    )
    func `of a daemon go on after a mebibyte`(byteCount: Int, sizes: [Int]) throws {
        let frames = Array(MessageFrames(byteCount: byteCount, from: .daemon))
        #expect(frames.map(\.header.bodyByteCount) == sizes)
        #expect(frames.map(\.range.count) == sizes)
        #expect(frames.last?.range.upperBound ?? 0 == byteCount)
        #expect(frames.map(\.header.goesOn) == sizes.indices.map { $0 + 1 < sizes.count })
        var assembly = MessageAssembly(from: .daemon)
        try frames.forEach { try assembly.announce($0.header) }
        #expect(assembly.byteCount == byteCount)
        #expect(assembly.isComplete == !sizes.isEmpty)
    }

    @Test func `of a client are one`() throws {
        let limit = FrameHeader.bodyByteCountLimit
        let frames = Array(MessageFrames(byteCount: limit, from: .client))
        #expect(frames.map(\.header) == [FrameHeader(bodyByteCount: limit)])
        var assembly = MessageAssembly(from: .client)
        #expect(throws: WireError.invalidValue("frame of a client that goes on")) {
            try assembly.announce(FrameHeader(bodyByteCount: 1, goesOn: true))
        }
        try assembly.announce(frames[0].header)
        #expect(assembly.isComplete)
    }

    @Test func `of a daemon are refused when one is too large, or all of them`() throws {
        var assembly = MessageAssembly(from: .daemon)
        #expect(throws: WireError.limitExceeded("size of a frame")) {
            try assembly.announce(FrameHeader(bodyByteCount: Self.frame + 1))
        }
        let full = FrameHeader(bodyByteCount: Self.frame, goesOn: true)
        let count = WireLimit.daemonMessageByteCount / Self.frame
        try (0..<count).forEach { _ in try assembly.announce(full) }
        #expect(throws: WireError.limitExceeded("size of a message")) {
            try assembly.announce(FrameHeader(bodyByteCount: 1))
        }
    }
}
