import Cryptography
import Dispatch

// A processor seals as fast as the system copies, so two threads that do both are nearly twice as
// fast as one. For small pieces the threads cost more than they save.

/// The keys and memory of one of two threads.
final class ChunkLane {
    let keys: FileKeys
    private static let pageByteCount = 4096
    private let scratch: UnsafeMutableRawBufferPointer

    /// Allocates memory for a number of sealed chunks, used from the start.
    init(_ keys: FileKeys, chunkCount: Int = 1) {
        self.keys = keys
        scratch = .allocate(
            byteCount: chunkCount * FileLayout.sealedChunkByteCount + Self.pageByteCount,
            alignment: Self.pageByteCount
        )
    }

    deinit { scratch.deallocate() }

    /// Returns memory for the sealed bytes of a place in the file.
    ///
    /// It starts at the same offset in its page as the place in the file, because the system copies
    /// that faster.
    func memory(_ byteCount: Int, at offset: Int) -> UnsafeMutableRawBufferPointer {
        let start = offset & (Self.pageByteCount - 1)
        return UnsafeMutableRawBufferPointer(rebasing: scratch[start..<start + byteCount])
    }
}

extension FileContainer {
    /// The smallest number of whole chunks that two threads share.
    static let parallelCount = 8
    /// The largest number of chunks at once.
    static let parallelLimit = ChunkRun.limit

    /// Returns the number of whole chunks that two threads can read from a chunk on; 0 for too few.
    func parallelRead(from chunk: UInt32, _ byteCount: Int) -> Int {
        let count = min(byteCount >> FileLayout.chunkBits, Self.parallelLimit)
        guard count >= Self.parallelCount, redirected.isEmpty else { return 0 }
        let end = chunk + UInt32(count)
        for number in chunk..<end where dirty[number] != nil || current.holes.contains(number) {
            return 0
        }
        return count
    }

    /// Returns the number of whole chunks that no durable header covers from a chunk on; 0 for too
    /// few.
    func parallelWrite(from chunk: UInt32, _ byteCount: Int) -> Int {
        let count = min(byteCount >> FileLayout.chunkBits, Self.parallelLimit)
        guard count >= Self.parallelCount else { return 0 }
        for number in chunk..<chunk + UInt32(count) where committed.hasBytes(number) { return 0 }
        return count
    }

    /// Reads whole chunks from the disk.
    func loadParallel(
        _ first: UInt32,
        into target: UnsafeMutableRawBufferPointer
    ) throws(FileFailure) {
        nonisolated(unsafe) let target = target
        let count = target.count >> FileLayout.chunkBits
        try inTwoThreads { half, lane throws(FileFailure) in
            for number in half == 0 ? 0..<count / 2 : count / 2..<count {
                let start = number << FileLayout.chunkBits
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: target[start..<start + FileLayout.chunkByteCount]
                )
                try self.load(first + UInt32(number), into: part, lane)
            }
        }
    }

    /// Writes whole chunks to places that no durable header covers.
    func putParallel(_ content: UnsafeRawBufferPointer, at first: UInt32) throws(FileFailure) {
        let count = content.count >> FileLayout.chunkBits
        let size = FileLayout.sealedChunkByteCount
        let place = FileLayout.offset(of: first)
        nonisolated(unsafe) let sealed = try lane(1).memory(count * size, at: place)
        nonisolated(unsafe) let content = content
        let run = ChunkRun(count)
        try inTwoThreads { _, lane throws(FileFailure) in
            while let job = run.next() {
                do throws(FileFailure) {
                    switch job {
                    case .seal(let number):
                        let start = number << FileLayout.chunkBits
                        try Self.seal(
                            first + UInt32(number),
                            UnsafeRawBufferPointer(
                                rebasing: content[start..<start + FileLayout.chunkByteCount]
                            ),
                            into: .init(rebasing: sealed[number * size..<(number + 1) * size]),
                            lane.keys
                        )
                    case .write(let chunks):
                        let start = chunks.lowerBound * size
                        let part = sealed[start..<chunks.upperBound * size]
                        try self.file.write(.init(rebasing: part), at: place + start)
                    }
                    run.end(job)
                } catch {
                    run.stop()
                    throw error
                }
            }
        }
        let end = first + UInt32(count)
        for chunk in first..<end { dirty[chunk] = nil }
        if let cached, (first..<end).contains(cached.number) { self.cached = nil }
        current.holes.remove(first..<end)
        current.length = max(current.length, Int(end) << FileLayout.chunkBits)
        placed.insert(first..<end)
    }

    private static func seal(
        _ chunk: UInt32,
        _ content: UnsafeRawBufferPointer,
        into sealed: UnsafeMutableRawBufferPointer,
        _ keys: FileKeys
    ) throws(FileFailure) {
        try FileFailure.wrapping { () throws(CryptographyError) in
            try keys.seal(chunk, content, into: sealed)
        }
    }

    /// Runs the same work in two threads, and waits for both.
    private func inTwoThreads(
        _ work: (Int, ChunkLane) throws(FileFailure) -> Void
    ) throws(FileFailure) {
        let lanes = [try lane(0), try lane(1)]
        // Each thread has a lane and a place of its own, and both end before this returns.
        nonisolated(unsafe) let (work, shared) = (work, lanes)
        var failures = [FileFailure?](repeating: nil, count: 2)
        failures.withUnsafeMutableBufferPointer { buffer in
            nonisolated(unsafe) let buffer = buffer
            DispatchQueue.concurrentPerform(iterations: 2) { number in
                do throws(FileFailure) { try work(number, shared[number]) } catch {
                    buffer[number] = error
                }
            }
        }
        if let failure = failures[0] ?? failures[1] { throw failure }
    }

    /// Returns the lane of a thread.
    ///
    /// The first has the keys that the other functions use; the second has memory for a run.
    func lane(_ number: Int) throws(FileFailure) -> ChunkLane {
        let keys = try presentKeys()
        if lanes.isEmpty { lanes = [ChunkLane(keys)] }
        if number == lanes.count {
            let twin = try FileFailure.wrapping { () throws(CryptographyError) in
                try keys.twin()
            }
            lanes.append(ChunkLane(twin, chunkCount: Self.parallelLimit))
        }
        return lanes[number]
    }
}
