import KeychainSync

/// The limit of entries that are sent to a relay at once.
package struct BatchLimit: Sendable, Hashable {
    package let entryCount: Int
    /// The greatest total size in bytes; a single entry may exceed it.
    package let byteCount: Int

    package init(entryCount: Int, byteCount: Int) {
        self.entryCount = entryCount
        self.byteCount = byteCount
    }

    /// No limit.
    package static let none = BatchLimit(entryCount: .max, byteCount: .max)

    /// Returns the first entries within the limit, and at least one.
    fileprivate func first(of entries: ArraySlice<[UInt8]>) -> ArraySlice<[UInt8]> {
        var byteCount = 0
        let first = entries.prefix(entryCount).prefix { entry in
            byteCount += entry.count
            return byteCount <= self.byteCount
        }
        return first.isEmpty ? entries.prefix(1) : first
    }
}

extension Relay {
    /// Stores an entry; has no effect if the relay already has it with the same bytes.
    ///
    /// - Throws: `tooLarge`, and the errors of `appendBatch`.
    package func append(
        _ entry: [UInt8],
        to stream: StreamName,
        at number: UInt64
    ) throws(RelayError) {
        try append(contentsOf: [entry], to: stream, at: number)
    }

    /// Stores entries with consecutive numbers, each as in `append`.
    ///
    /// After an error, the relay may have the first ones.
    package func append(
        contentsOf entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError) {
        guard entries.allSatisfy({ $0.count <= entryByteCountLimit }) else {
            throw .tooLarge(limit: entryByteCountLimit)
        }
        guard first < RelayLimit.number - UInt64(entries.count) else {
            throw .refused("numbers of entries end before \(RelayLimit.number)")
        }
        var rest = entries[...]
        while !rest.isEmpty {
            let batch = batchLimit.first(of: rest)
            try appendBatch(Array(batch), to: stream, at: first + UInt64(batch.startIndex))
            rest = rest[batch.endIndex...]
        }
    }
}

extension Range<UInt64> {
    /// Returns the entries with these numbers, up to the first that is missing.
    ///
    /// Stops when `byteCountLimit` is reached; the first entry may exceed it.
    func entries(
        byteCountLimit: Int,
        _ entry: (UInt64) throws(RelayError) -> [UInt8]?
    ) throws(RelayError) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var byteCount = 0
        for number in self where entries.isEmpty || byteCount < byteCountLimit {
            do throws(RelayError) {
                guard let entry = try entry(number) else { break }
                byteCount += entry.count
                entries.append(entry)
            } catch {
                // The entries before the error are the result. The reader gets the error when it
                // comes first.
                guard !entries.isEmpty else { throw error }
                break
            }
        }
        return entries
    }
}
