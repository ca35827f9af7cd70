import Cryptography

extension FileContainer {
    /// Reads from an offset on.
    ///
    /// - Returns: The number of bytes read; smaller than the buffer only at the end of the content.
    /// - Throws: `keychain`, `damaged`, `closed`, `system`; a damaged chunk leaves zeros in
    ///   the buffer.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(FileFailure) -> Int {
        try authorize()
        guard offset >= 0, offset < current.length else { return 0 }
        let wanted = min(buffer.count, current.length - offset)
        var done = 0
        while done < wanted {
            let place = offset + done
            let chunk = UInt32(place >> FileLayout.chunkBits)
            let start = place & (FileLayout.chunkByteCount - 1)
            let held = FileLayout.byteCount(of: chunk, in: current.length)
            let whole = start == 0 ? parallelRead(from: chunk, wanted - done) : 0
            if whole > 0 {
                let end = done + whole << FileLayout.chunkBits
                try loadParallel(
                    chunk,
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[done..<end])
                )
                done = end
                continue
            }
            let count = min(held - start, wanted - done)
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
            if count == held, dirty[chunk] == nil, !current.holes.contains(chunk) {
                try load(chunk, into: target, lane(0))
            } else if let found = try content(of: chunk) {
                let part = found.bytes[start..<start + count]
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            } else {
                target.initializeMemory(as: UInt8.self, repeating: 0)
            }
            done += count
        }
        return wanted
    }

    /// Returns a chunk's content in memory; nil for a hole.
    func content(of chunk: UInt32) throws(FileFailure) -> ChunkBuffer? {
        if let buffer = dirty[chunk] { return buffer }
        guard !current.holes.contains(chunk) else { return nil }
        if let cached, cached.number == chunk { return cached.buffer }
        // A caller may still hold the buffer that is cached now.
        let buffer = ChunkBuffer()
        let count = FileLayout.byteCount(of: chunk, in: current.length)
        try load(chunk, into: buffer.prefix(count), lane(0))
        cached = (chunk, buffer)
        return buffer
    }

    /// Reads a chunk from the disk into a buffer of exactly its size.
    func load(
        _ chunk: UInt32,
        into target: UnsafeMutableRawBufferPointer,
        _ lane: ChunkLane
    ) throws(FileFailure) {
        let sealedCount = target.count + ChunkCipher.overhead
        let entry = redirected[chunk]
        guard entry == nil || entry?.byteCount == sealedCount else {
            throw .damaged(path, .chunk(chunk))
        }
        let offset = entry?.offset ?? FileLayout.offset(of: chunk)
        let sealed = lane.memory(sealedCount, at: offset)
        guard try file.read(sealed, at: offset) == sealedCount else {
            throw .damaged(path, .chunk(chunk))
        }
        do throws(CryptographyError) {
            try lane.keys.open(chunk, UnsafeRawBufferPointer(sealed), into: target)
        } catch {
            throw .damaged(path, .chunk(chunk))
        }
    }
}
