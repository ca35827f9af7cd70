import Secrets

// A carriage return counts as a line break, because some readers of the protocol split lines in
// text mode.
//
// Source: git's advisory on carriage returns in the credential protocol, CVE-2024-52006.

extension Collection<UInt8> {
    /// Whether the bytes fit a line of git's protocol.
    var isOneLine: Bool {
        allSatisfy { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") && $0 != 0 }
    }
}

extension Secret {
    /// Whether the bytes fit a line of git's protocol.
    borrowing func isOneLine() -> Bool { withUnsafeBytes { $0.isOneLine } }
}

extension String {
    /// Whether the text fits a line of git's protocol, without any control character.
    var isOneLine: Bool { utf8.allSatisfy { $0 >= 0x20 } }
}
