import Synchronization

// Laws  (1) Each chunk is sealed once, then written once.
//       (2) One thread writes at a time, because the system would let a second one wait.
//       (3) No thread waits for another. A thread that ends a job takes the next one, so the
//           last thread finds nothing left.

/// The progress of adjacent chunks on their way to the disk, from which threads take jobs.
final class ChunkRun: Sendable {
    /// One step of the work.
    enum Job: Equatable {
        case seal(Int)
        /// Chunks that are sealed.
        case write(Range<Int>)
    }

    /// The most chunks.
    static let limit = 64
    /// The smallest number of chunks for one write, since a large write is faster than small ones.
    static let batch = 4

    private struct Progress {
        var begun = 0
        /// A bit for each chunk.
        var sealed: UInt64 = 0
        var written = 0
        var isWriting = false
        var isStopped = false
    }

    private let count: Int
    private let progress = Mutex(Progress())

    /// - Parameter count: The number of chunks, at most `limit`.
    init(_ count: Int) { self.count = count }

    /// Returns the next job; nil if nothing is left for this thread.
    func next() -> Job? {
        progress.withLock { progress in
            guard !progress.isStopped else { return nil }
            let ready = (~(progress.sealed >> UInt64(progress.written))).trailingZeroBitCount
            if !progress.isWriting, ready > 0, ready >= Self.batch || progress.begun == count {
                progress.isWriting = true
                return .write(progress.written..<progress.written + ready)
            }
            guard progress.begun < count else { return nil }
            progress.begun += 1
            return .seal(progress.begun - 1)
        }
    }

    func end(_ job: Job) {
        progress.withLock { progress in
            switch job {
            case .seal(let chunk): progress.sealed |= 1 << UInt64(chunk)
            case .write(let chunks):
                progress.written = chunks.upperBound
                progress.isWriting = false
            }
        }
    }

    /// Ends all jobs after an error.
    func stop() { progress.withLock { $0.isStopped = true } }
}
