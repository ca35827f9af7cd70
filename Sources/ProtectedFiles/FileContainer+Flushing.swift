import Cryptography
import KeychainMessages
import KeychainModel

extension FileContainer {
    /// Makes everything that was written durable.
    ///
    /// - Throws: `system` and others. Until the old state is touched, the caller can repeat the
    ///   call; after that the file refuses all calls until it is opened again, with the old or the
    ///   new state.
    package func flush() throws(FileFailure) {
        guard !isBroken else { throw .interrupted(path) }
        guard !dirty.isEmpty || !placed.isEmpty || current != committed else { return }
        try fillHoles()
        let places = dirty.keys.sorted()
        for chunk in places where !committed.hasBytes(chunk) {
            try seal(chunk, content(of: chunk, in: dirty)) { sealed throws(FileFailure) in
                try file.write(sealed, at: FileLayout.offset(of: chunk))
            }
        }
        let next = HeaderSlot(sequence: slot.sequence + 1, key: slot.key)
        let image = try image(next)
        let overwritten = places.filter { committed.hasBytes($0) }
        let hasNew = places.count > overwritten.count || !placed.isEmpty
        if hasNew {
            // The header, or a redo record that contains it, counts as soon as it is on the disk.
            isBroken = true
            try file.synchronize()
            isBroken = false
        }
        if overwritten.isEmpty { try commit(image) } else { try redo(overwritten, image) }
        slot = next
        committed = current
        placed = ChunkRanges()
        if let last = places.last, let buffer = dirty[last] { cached = (last, buffer) }
        dirty = [:]
    }

    private func content(
        of chunk: UInt32,
        in buffers: [UInt32: ChunkBuffer]
    ) -> UnsafeRawBufferPointer {
        let count = FileLayout.byteCount(of: chunk, in: current.length)
        return UnsafeRawBufferPointer(buffers[chunk]?.prefix(count) ?? .init(start: nil, count: 0))
    }

    private func image(_ slot: HeaderSlot) throws(FileFailure) -> [UInt8] {
        let keys = try presentKeys()
        return try FileFailure.wrapping { () throws(CryptographyError) in
            try keys.image(slot, current)
        }
    }

    /// Writes the header, all of whose chunks are already durable.
    private func commit(_ image: [UInt8]) throws(FileFailure) {
        isBroken = true
        try write(image, isLastDurable: false)
        try cutOff()
        isBroken = false
    }

    /// Overwrites committed chunks, with a record that survives a crash.
    private func redo(_ chunks: [UInt32], _ image: [UInt8]) throws(FileFailure) {
        let keys = try presentKeys()
        let ends = [committed.length, current.length].map(FileLayout.end)
        let offset = max(ends[0], ends[1])
        var sealed: [UInt8] = []
        var ranges: [(UInt32, Range<Int>)] = []
        sealed.reserveCapacity(chunks.count * FileLayout.sealedChunkByteCount)
        for chunk in chunks {
            let start = sealed.count
            try seal(chunk, content(of: chunk, in: dirty)) { bytes throws(FileFailure) in
                sealed.append(contentsOf: bytes)
            }
            ranges.append((chunk, start..<sealed.count))
        }
        try sealed.withRawBytes { bytes throws(FileFailure) in
            let parts = ranges.map { chunk, range in
                (number: chunk, sealed: UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
            let tail = try FileFailure.wrapping { () throws(CryptographyError) in
                try RedoRecord.tail(at: offset, parts, image, keys, identifier)
            }
            do throws(FileFailure) {
                // The end of a longer, earlier record must not become the end of this one.
                if try file.byteCount() > offset { try file.truncate(to: offset) }
                try file.write(bytes, at: offset)
                try file.write(tail, at: offset + bytes.count)
            } catch {
                try? file.truncate(to: offset)
                throw error
            }
            isBroken = true
            try file.synchronize()
            for part in parts {
                try file.write(part.sealed, at: FileLayout.offset(of: part.number))
            }
        }
        try write(image, isLastDurable: false)
        try cutOff()
        isBroken = false
    }

    /// Writes a header to both slots; the first is durable before the second is touched.
    ///
    /// - Parameters:
    ///   - image: The header.
    ///   - isLastDurable: Whether to wait for the second as well.
    /// - Throws: `system`.
    func write(_ image: [UInt8], isLastDurable: Bool = true) throws(FileFailure) {
        let sequence: UInt64 = BigEndian.number(image, at: 32)
        let first = Int(sequence & 1) * FileLayout.slotByteCount
        try file.write(image, at: first)
        try file.synchronize()
        try file.write(image, at: FileLayout.slotByteCount - first)
        if isLastDurable { try file.synchronize() }
    }

    private func cutOff() throws(FileFailure) {
        let end = FileLayout.end(current.length)
        if try file.byteCount() > end { try file.truncate(to: end) }
    }

    /// Writes the shortest holes as zeros, if there are more than a header can name.
    ///
    /// No hole is committed, because shortening the content flushes it at once.
    private func fillHoles() throws(FileFailure) {
        let surplus = current.holes.ranges.count - FileState.holeLimit
        guard surplus > 0 else { return }
        let zeros = ChunkBuffer()
        for range in current.holes.ranges.sorted(by: { $0.count < $1.count }).prefix(surplus) {
            for chunk in range {
                let count = FileLayout.byteCount(of: chunk, in: current.length)
                let content = UnsafeRawBufferPointer(zeros.prefix(count))
                try seal(chunk, content) { sealed throws(FileFailure) in
                    try file.write(sealed, at: FileLayout.offset(of: chunk))
                }
                placed.insert(chunk)
                current.holes.remove(chunk)
            }
        }
    }

    /// Moves the file to another class, or to the newest key set of its class.
    ///
    /// The file key stays the same: an older copy of the file opens as before.
    ///
    /// - Throws: `keychain` and others; the file then has its old class.
    package func move(to fileClass: FileClass) throws(FileFailure) {
        try requireWritable()
        try flush()
        let moved = try FileFailure.asking { () throws(KeychainError) in
            try source.move(slot.key, to: fileClass)
        }
        guard moved != slot.key else { return }
        let next = HeaderSlot(sequence: slot.sequence + 1, key: moved)
        guard next.isWritable, moved.file == identifier else { throw .keychain(.unexpectedReply) }
        let image = try image(next)
        isBroken = true
        try write(image)
        slot = next
        isBroken = false
    }
}
