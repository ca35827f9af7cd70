import Secrets

// Invariants   (1) A moved secret can be put back byte for byte, because its spelling is recorded.
//              (2) A record moves as a whole or not at all.
//              (3) If two entries for one place have different secrets or notes, neither moves.

/// A parsed plain text file, which can return its content without some of its secrets.
///
/// It does not open, write or delete files. Its content is always a `Secret`.
package struct PlaintextFile: Sendable {
    /// The whole content.
    package let content: SharedSecret

    /// The secrets in the order of the file.
    package let entries: [PlaintextEntry]

    /// The malformed lines, which stay, in the order of the file.
    package let oddities: [PlaintextError]

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - content: The whole content.
    ///   - format: The format of the file.
    /// - Throws: `PlaintextError` if the file does not have the format; nothing is guessed.
    package init(_ content: SharedSecret, as format: PlaintextFormat) throws(PlaintextError) {
        self.content = content
        let found = try content.secret.withUnsafeBytes { bytes throws(PlaintextError) in
            var found = try format.parse(try ByteView(bytes))
            found.entries = found.entries.map { $0.spelled(in: bytes) }
            return found
        }
        entries = Self.withWholeRecords(Self.withoutContradictions(found.entries))
        oddities = found.oddities.sorted { $0.line < $1.line }
    }

    /// Returns the file without one of its entries; every other byte stays the same.
    ///
    /// To remove several entries, parse the result each time. In JSON, the commas to remove depend
    /// on the other entries.
    package func removing(_ entry: PlaintextEntry) -> Secret {
        content.secret.withUnsafeBytes { bytes in
            var rest = Secret(copying: EmptyCollection<UInt8>())
            var position = 0
            for range in entry.removal {
                let kept = UnsafeRawBufferPointer(rebasing: bytes[position..<range.lowerBound])
                rest = Secret(concatenating: rest, Secret(copying: kept))
                rest = Secret(concatenating: rest, Secret(copying: entry.replacement))
                position = range.upperBound
            }
            let tail = UnsafeRawBufferPointer(rebasing: bytes[position...])
            return Secret(concatenating: rest, Secret(copying: tail))
        }
    }

    /// Makes entries for one place with different secrets stay, because only the user can choose
    /// one.
    private static func withoutContradictions(_ entries: [PlaintextEntry]) -> [PlaintextEntry] {
        // The first line of each place, and the first one that contradicts it.
        var lines: [PlaintextPlace: (first: PlaintextEntry, other: Int?)] = [:]
        for entry in entries {
            guard let known = lines[entry.place] else {
                lines[entry.place] = (entry, nil)
                continue
            }
            if !known.first.agrees(with: entry), known.other == nil {
                lines[entry.place] = (known.first, entry.line)
            }
        }
        return entries.map { entry in
            guard let known = lines[entry.place], let other = known.other else { return entry }
            let line = entry.line == other ? known.first.line : other
            return entry.staying(because: "line \(line) says otherwise")
        }
    }

    /// Makes all entries of a record stay if one of them stays.
    private static func withWholeRecords(_ entries: [PlaintextEntry]) -> [PlaintextEntry] {
        var lines: [String: Int] = [:]
        for entry in entries where entry.hindrance != nil {
            guard let record = entry.record, lines[record] == nil else { continue }
            lines[record] = entry.line
        }
        return entries.map { entry in
            guard let line = entry.record.flatMap({ lines[$0] }) else { return entry }
            return entry.staying(because: "line \(line) of the same profile stays")
        }
    }
}

extension PlaintextEntry {
    /// Whether one item can hold everything from both entries.
    fileprivate func agrees(with other: PlaintextEntry) -> Bool {
        let remarks = (remark ?? Self.none, other.remark ?? Self.none)
        return secret.secret.constantTimeEquals(other.secret.secret)
            && remarks.0.secret.constantTimeEquals(remarks.1.secret)
            && title == other.title && appendix == other.appendix
    }

    private static let none = SharedSecret(Secret(copying: EmptyCollection<UInt8>()))

    /// Returns the entry with its secret's spelling; the entry stays if an undo could not write it
    /// so.
    fileprivate func spelled(in bytes: UnsafeRawBufferPointer) -> PlaintextEntry {
        guard hindrance == nil else { return self }
        var entry = self
        for index in written.indices {
            guard let spelled = written[index].spelled(secret, in: bytes) else {
                return staying(because: "no undo could write it back as it is written")
            }
            entry.written[index] = spelled
        }
        guard let remark, let writtenRemark else { return entry }
        guard remark.secret.withUnsafeBytes({ String(validating: $0, as: UTF8.self) }) != nil else {
            return staying(because: "its note is not UTF-8")
        }
        guard let spelled = writtenRemark.spelled(remark, in: bytes) else {
            return staying(because: "no undo could write its note back as it is written")
        }
        entry.writtenRemark = spelled
        return entry
    }
}
