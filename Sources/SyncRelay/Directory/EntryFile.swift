import KeychainSync

/// The names and bytes of the files in a relay's directory.
///
/// - Source: Documentation/Spec/relays.md §2.
enum EntryFile {
    static let mark = Array("KSYF".utf8)
    static let headerByteCount = 4 + 4 + SyncDigest.byteCount
    static let byteCountLimit = headerByteCount + RelayLimit.entryByteCount
    static let digitCount = 20
    private static let entryEnding = ".entry"
    private static let firstEnding = ".first"
    private static let unfinishedStart = ".unfinished-"

    /// The meaning of a name in the directory of a stream.
    enum Meaning: Hashable {
        case entry(UInt64)
        /// A mark that entries with smaller numbers were removed.
        case first(UInt64)
        /// A file that a process may not have finished, because it was killed.
        case unfinished
        case foreign
    }

    static func name(of number: UInt64) -> String { digits(number) + entryEnding }

    static func name(ofFirst number: UInt64) -> String { digits(number) + firstEnding }

    static func unfinishedName(_ random: UInt64) -> String {
        unfinishedStart + String(random, radix: 16)
    }

    static func meaning(of name: String) -> Meaning {
        if name.hasPrefix(unfinishedStart) { return .unfinished }
        guard let number = number(name) else { return .foreign }
        switch String(decoding: name.utf8.dropFirst(digitCount), as: UTF8.self) {
        case entryEnding: return .entry(number)
        case firstEnding: return .first(number)
        default: return .foreign
        }
    }

    static func digits(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: digitCount - digits.utf8.count) + digits
    }

    /// Returns the number at the start of a name; nil if it is not in the form of `digits`.
    static func number(_ name: String) -> UInt64? {
        let digits = name.utf8.prefix(digitCount)
        guard digits.count == digitCount,
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt64(String(decoding: digits, as: UTF8.self)),
            number < RelayLimit.number
        else { return nil }
        return number
    }

    /// Returns the bytes of a file with this entry.
    static func content(with entry: [UInt8]) throws(RelayError) -> [UInt8] {
        let count = UInt32(entry.count)
        let countBytes = stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: count >> UInt32($0))
        }
        let digest = try SyncDigest.kept(entry)
        return mark + countBytes + digest.bytes + entry
    }

    /// The state of a file's bytes.
    enum State: Equatable {
        case whole([UInt8])
        /// Fewer bytes than the header announces, such as during a copy.
        case partial
        case wrong
    }

    static func state(of content: [UInt8]) throws(RelayError) -> State {
        guard content.prefix(4) == mark.prefix(content.count) else { return .wrong }
        guard content.count >= headerByteCount else { return .partial }
        let count = content[4..<8].reduce(0) { $0 << 8 | Int($1) }
        let entry = Array(content[headerByteCount...])
        guard entry.count >= count else { return .partial }
        let digest = Array(content[8..<headerByteCount])
        guard entry.count == count, try SyncDigest.kept(entry).bytes == digest else {
            return .wrong
        }
        return .whole(entry)
    }
}
