import Secrets

/// How a value between double quotes is spelled: the same value may be written in several ways.
///
/// A line break, a tab, a dollar sign, a backquote or a backslash stands there as it is or behind a
/// backslash. Both mean the same, and a file that is put back has the one that it had.
enum EnvironmentSpelling {
    private static let backslash = UInt8(ascii: "\\")
    private static let letters = Set("nrt".utf8)
    private static let breaks = Set("\n\r\t".utf8)

    /// The positions in the value of bytes that could have been escaped and are not.
    static func literals(in written: Slice<UnsafeRawBufferPointer>) -> [Int] {
        var literals: [Int] = []
        var position = 0
        var rest = written
        while let byte = rest.popFirst() {
            if byte == backslash, let next = rest.first, isEscape(next) {
                rest.removeFirst()
            } else if breaks.contains(byte) || EnvironmentFile.escapable.contains(byte) {
                literals.append(position)
            }
            position += 1
        }
        return literals
    }

    private static func isEscape(_ letter: UInt8) -> Bool {
        letters.contains(letter) || EnvironmentFile.escapable.contains(letter)
    }

    /// A value as it was spelled; with every escape where it is another value by now, for which
    /// that spelling would mean something else.
    static func spelled(_ secret: borrowing Secret, literals: [Int]) -> Secret {
        let draft = SecretEncoding.environment.encode(secret, literals: Set(literals))
        return means(draft, secret) ? draft : SecretEncoding.environment.encode(secret)
    }

    private static func means(_ written: borrowing Secret, _ secret: borrowing Secret) -> Bool {
        let head = Secret(concatenating: Secret(copying: "A=\"".utf8), written)
        let line = SharedSecret(Secret(concatenating: head, Secret(copying: "\"\n".utf8)))
        let entries = try? line.secret.withUnsafeBytes { bytes throws(PlaintextError) in
            try EnvironmentFile.entries(ByteView(bytes))
        }
        guard let entries, entries.count == 1, entries[0].hindrance == nil else { return false }
        return entries[0].secret.secret.constantTimeEquals(secret)
    }
}
