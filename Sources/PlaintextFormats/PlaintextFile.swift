import Secrets

/// A plain text file that was read: its secrets, and the file without some of them.
///
/// Nothing here opens, writes or deletes; the bytes come and go as `Secret`.
package struct PlaintextFile: Sendable {
    /// All of its bytes.
    package let content: SharedSecret

    /// The secrets in the order of the file.
    package let entries: [PlaintextEntry]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - content: All of its bytes.
    ///   - format: What it is.
    /// - Throws: `PlaintextError` for what the format does not admit; nothing is guessed.
    package init(_ content: SharedSecret, as format: PlaintextFormat) throws(PlaintextError) {
        self.content = content
        let found = try content.secret.withUnsafeBytes { bytes throws(PlaintextError) in
            try format.parse(try ByteView(bytes))
        }
        entries = Self.withoutContradictions(found)
    }

    /// The file without one of its entries; every other byte stays as it is.
    ///
    /// To remove several, read what is left and go on from there: in JSON the commas that go with
    /// an entry depend on what else is there.
    package func removing(_ entry: PlaintextEntry) -> Secret {
        content.secret.withUnsafeBytes { bytes in
            var rest = Secret(copying: EmptyCollection<UInt8>())
            var position = 0
            for (index, range) in entry.removal.enumerated() {
                let kept = UnsafeRawBufferPointer(rebasing: bytes[position..<range.lowerBound])
                rest = Secret(concatenating: rest, Secret(copying: kept))
                if index == 0 {
                    rest = Secret(concatenating: rest, Secret(copying: entry.replacement))
                }
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
            let agrees = known.first.secret.secret.constantTimeEquals(entry.secret.secret)
            if !agrees, known.other == nil { lines[entry.place] = (known.first, entry.line) }
        }
        return entries.map { entry in
            guard let known = lines[entry.place], let other = known.other else { return entry }
            let line = entry.line == other ? known.first.line : other
            return entry.staying(because: "line \(line) says otherwise")
        }
    }
}
