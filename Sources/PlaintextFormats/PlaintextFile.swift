import Secrets

// Invariants   (1) What moves can be put back byte for byte: its spelling is known.
//              (2) A record moves whole or not at all.
//              (3) Of two entries for one place with different secrets or notes, none moves.

/// A plain text file that was read: its secrets, and the file without some of them.
///
/// Nothing here opens, writes or deletes; the bytes come and go as `Secret`.
package struct PlaintextFile: Sendable {
    /// All of its bytes.
    package let content: SharedSecret

    /// The secrets in the order of the file.
    package let entries: [PlaintextEntry]

    /// The lines that stay because they make no sense, in the order of the file.
    package let oddities: [PlaintextError]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - content: All of its bytes.
    ///   - format: What it is.
    /// - Throws: `PlaintextError` for a file that is not of the format at all; nothing is guessed.
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

    /// The file without one of its entries; every other byte stays as it is.
    ///
    /// To remove several, read what is left and go on from there: in JSON the commas that go with
    /// an entry depend on what else is there.
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

    /// Entries for one place with different secrets stay, as only a person can tell which counts.
    private static func withoutContradictions(_ entries: [PlaintextEntry]) -> [PlaintextEntry] {
        // For each place its first line, and the first one that contradicts it.
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

    /// A record with an entry that stays, stays whole.
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
    /// Whether one item can hold all that this entry and another one have.
    fileprivate func agrees(with other: PlaintextEntry) -> Bool {
        let remarks = (remark ?? Self.none, other.remark ?? Self.none)
        return secret.secret.constantTimeEquals(other.secret.secret)
            && remarks.0.secret.constantTimeEquals(remarks.1.secret)
            && title == other.title && appendix == other.appendix
    }

    private static let none = SharedSecret(Secret(copying: EmptyCollection<UInt8>()))

    /// The entry with the spelling of its secret; it stays if no undo could write it like that.
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
