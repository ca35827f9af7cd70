import Testing

@testable import SSHAgentProtocol

@Suite struct `Values of the SSH protocol` {
    /// RFC 4251 §5 has these.
    @Test(
        arguments: [
            ([], [0, 0, 0, 0]),
            (
                [0x09, 0xa3, 0x78, 0xf9, 0xb2, 0xe3, 0x32, 0xa7],
                [0, 0, 0, 8, 0x09, 0xa3, 0x78, 0xf9, 0xb2, 0xe3, 0x32, 0xa7]
            ),
            ([0x80], [0, 0, 0, 2, 0, 0x80]),
        ] as [([UInt8], [UInt8])]
    )
    func `are integers as the RFC shows them`(digits: [UInt8], bytes: [UInt8]) throws {
        #expect(SSHWriter.bytes { $0.integer(digits) } == bytes)
        let read = try SSHReader.read(bytes) { reader throws(SSHFormatError) in
            [UInt8](try reader.integer())
        }
        #expect(read == digits)
    }

    @Test(
        arguments: [
            ("negative", [0, 0, 0, 1, 0x80]), ("a zero too many", [0, 0, 0, 2, 0, 0x7f]),
            ("a zero alone", [0, 0, 0, 1, 0]), ("too short", [0, 0, 0, 2, 1]),
            ("huge", [0xff, 0xff, 0xff, 0xff]), ("cut", [0, 0, 0]), ("longer", [0, 0, 0, 1, 1, 1]),
        ] as [(String, [UInt8])]
    )
    func `are no integers otherwise`(name: String, bytes: [UInt8]) {
        #expect(throws: SSHFormatError.self) {
            try SSHReader.read(bytes) { reader throws(SSHFormatError) in
                [UInt8](try reader.integer())
            }
        }
    }

    @Test func `are as long as integers may be`() {
        let bytes = SSHWriter.bytes { $0.integer([UInt8](repeating: 1, count: 1026)) }
        #expect(throws: SSHFormatError.malformed) {
            try SSHReader.read(bytes) { reader throws(SSHFormatError) in
                [UInt8](try reader.integer())
            }
        }
    }

    @Test(arguments: [([0, 0, 0, 1], 1), ([0, 4, 0, 0], 262_144)] as [([UInt8], Int)])
    func `are frames of a message`(header: [UInt8], count: Int) {
        #expect(AgentFrame.byteCount(header: header) == count)
    }

    @Test(
        arguments: [[0, 0, 0, 0], [0, 4, 0, 1], [255, 255, 255, 255], [0, 0, 1]] as [[UInt8]]
    )
    func `are no frames of other sizes`(header: [UInt8]) {
        #expect(AgentFrame.byteCount(header: header) == nil)
    }

    @Test(
        arguments: [
            ("ada", "ada", true), ("ada", "a*", true), ("ada", "*", true), ("ada", "a?a", true),
            ("", "*", true), ("", "", true), ("ada", "", false), ("ada", "ad", false),
            ("ada", "a*b", false), ("aab", "*ab", true), ("grace", "*a*e", true),
            ("x", "??", false),
        ]
    )
    func `are names that match patterns`(name: String, pattern: String, matches: Bool) {
        #expect(NamePattern.matches(name, pattern) == matches)
    }

    @Test func `are matched in bounded time`() {
        let pattern = String(repeating: "*a", count: 500) + "b"
        #expect(!NamePattern.matches(String(repeating: "a", count: 2000), pattern))
    }
}
