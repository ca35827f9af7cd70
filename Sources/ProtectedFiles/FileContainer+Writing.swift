import Cryptography

extension FileContainer {
    /// Writes at an offset; a gap behind the present end reads as zeros.
    ///
    /// The bytes are durable when `flush` or `close` returns. After an error a part of them may be
    /// written, up to the end of a chunk.
    ///
    /// - Throws: `notWritable`, `keychain`, `damaged`, `tooLarge`, `system`.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) {
        try requireWritable()
        guard !bytes.isEmpty else { return }
        try checkLength(offset, adding: bytes.count)
        if offset > current.length { try lengthen(to: offset) }
        var done = 0
        while done < bytes.count {
            let place = offset + done
            let chunk = UInt32(place >> FileLayout.chunkBits)
            let start = place & (FileLayout.chunkByteCount - 1)
            let whole = start == 0 ? parallelWrite(from: chunk, bytes.count - done) : 0
            if whole > 0 {
                let end = done + whole << FileLayout.chunkBits
                try putParallel(UnsafeRawBufferPointer(rebasing: bytes[done..<end]), at: chunk)
                done = end
                continue
            }
            let count = min(FileLayout.chunkByteCount - start, bytes.count - done)
            let part = UnsafeRawBufferPointer(rebasing: bytes[done..<done + count])
            if count == FileLayout.chunkByteCount, !committed.hasBytes(chunk) {
                try put(part, at: chunk)
            } else {
                try change(chunk, from: start, part)
            }
            done += count
            if dirty.count >= Self.dirtyLimit || placed.ranges.count > Self.placedLimit {
                try flush()
            }
        }
    }

    private func checkLength(_ offset: Int, adding count: Int) throws(FileFailure) {
        let (end, isOver) = offset.addingReportingOverflow(count)
        guard offset >= 0, !isOver, end <= FileLayout.byteCountLimit else { throw .tooLarge }
    }

    /// Writes a whole chunk to a place that no durable header covers.
    private func put(_ content: UnsafeRawBufferPointer, at chunk: UInt32) throws(FileFailure) {
        try seal(chunk, content) { sealed throws(FileFailure) in
            try file.write(sealed, at: FileLayout.offset(of: chunk))
        }
        dirty[chunk] = nil
        if cached?.number == chunk { cached = nil }
        current.holes.remove(chunk)
        current.length = max(current.length, (Int(chunk) + 1) << FileLayout.chunkBits)
        placed.insert(chunk)
    }

    /// Changes part of a chunk in memory, or all of a committed chunk.
    private func change(
        _ chunk: UInt32,
        from start: Int,
        _ part: UnsafeRawBufferPointer
    ) throws(FileFailure) {
        let isWhole = part.count == FileLayout.chunkByteCount
        let buffer = isWhole ? dirty[chunk] ?? ChunkBuffer() : try writable(chunk)
        let target = UnsafeMutableRawBufferPointer(
            rebasing: buffer.bytes[start..<start + part.count]
        )
        target.copyMemory(from: part)
        hold(buffer, as: chunk)
        let end = Int(chunk) << FileLayout.chunkBits + start + part.count
        current.length = max(current.length, end)
        // A log that grows in small steps fills whole chunks, which can be written.
        if start + part.count == FileLayout.chunkByteCount, !committed.hasBytes(chunk) {
            try put(UnsafeRawBufferPointer(buffer.bytes), at: chunk)
        }
    }

    private func hold(_ buffer: ChunkBuffer, as chunk: UInt32) {
        if cached?.number == chunk { cached = nil }
        placed.remove(chunk)
        current.holes.remove(chunk)
        dirty[chunk] = buffer
    }

    /// Returns the present content of a chunk, with zeros behind it.
    private func writable(_ chunk: UInt32) throws(FileFailure) -> ChunkBuffer {
        guard chunk < current.chunkCount, let found = try content(of: chunk) else {
            return ChunkBuffer()
        }
        return found
    }

    /// Changes the length; added bytes are zeros.
    ///
    /// - Throws: The same errors as `write`.
    package func truncate(to length: Int) throws(FileFailure) {
        try requireWritable()
        try checkLength(length, adding: 0)
        if length > current.length { try lengthen(to: length) } else { try shorten(to: length) }
    }

    private func lengthen(to length: Int) throws(FileFailure) {
        let before = current.chunkCount
        if current.length & (FileLayout.chunkByteCount - 1) != 0,
            let buffer = try content(of: before - 1)
        {
            hold(buffer, as: before - 1)
        }
        current.length = length
        if before < current.chunkCount { current.holes.insert(before..<current.chunkCount) }
    }

    private func shorten(to length: Int) throws(FileFailure) {
        guard length < current.length else { return }
        let (count, before) = (FileLayout.chunkCount(length), current.chunkCount)
        let rest = length & (FileLayout.chunkByteCount - 1)
        if rest != 0, let buffer = try content(of: count - 1) {
            buffer.clear(from: rest)
            hold(buffer, as: count - 1)
        }
        current.length = length
        for chunk in dirty.keys where chunk >= count { dirty[chunk] = nil }
        if let cached, cached.number >= count { self.cached = nil }
        current.holes.remove(count..<before)
        placed.remove(count..<before)
        // The chunks that are removed must not count as committed.
        try flush()
    }

    /// Sets whether backups exclude the file.
    package func setExcludedFromBackup(_ isExcluded: Bool) throws(FileFailure) {
        try requireWritable()
        current.isExcludedFromBackup = isExcluded
        try flush()
    }

    /// Lends a chunk in its sealed form for the disk.
    func seal(
        _ chunk: UInt32,
        _ content: UnsafeRawBufferPointer,
        _ lane: ChunkLane? = nil,
        _ body: (UnsafeRawBufferPointer) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        let lane = if let lane { lane } else { try self.lane(0) }
        let sealedCount = content.count + ChunkCipher.overhead
        let sealed = lane.memory(sealedCount, at: FileLayout.offset(of: chunk))
        try FileFailure.wrapping { () throws(CryptographyError) in
            try lane.keys.seal(chunk, content, into: sealed)
        }
        try body(UnsafeRawBufferPointer(sealed))
    }
}
