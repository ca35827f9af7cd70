import Glibc
import Synchronization

/// A time in which several processes and threads work at once, so that they affect each other.
///
/// With a fixed number of calls, the others would get more processor time once one is finished.
/// Therefore the time is fixed, and the calls are counted.
struct MeasuredWindow {
    /// The start, in nanoseconds of `Stopwatch.now()`.
    let start: Double
    let end: Double
    let threadCount: Int

    /// The number of calls of a thread whose times are reported.
    private static let sampleCount = 300

    /// Makes a window that begins after all processes have received it.
    init(milliseconds: Double, threadCount: Int) {
        start = Stopwatch.now() + 5_000_000
        end = start + milliseconds * 1_000_000
        self.threadCount = threadCount
    }

    /// Reads the text of `line`.
    init?(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 3, let start = Double(words[0]), let end = Double(words[1]),
            let threadCount = Int(words[2])
        else { return nil }
        self.start = start
        self.end = end
        self.threadCount = threadCount
    }

    var line: String { "\(start) \(end) \(threadCount)" }

    var nanoseconds: Double { end - start }

    /// Makes calls on each thread until the time is over.
    ///
    /// - Returns: The number of calls, and the times of some.
    func fill(
        _ call: @escaping @Sendable (Int) throws -> Void
    ) throws -> (count: Int, samples: [Double]) {
        guard threadCount > 1 else { return try fillThread(0, call) }
        let all = Mutex<(count: Int, samples: [Double])>((0, []))
        _ = try Threads.nanoseconds(threadCount) { number in
            let mine = try fillThread(number, call)
            all.withLock { all in
                all.count += mine.count
                all.samples += mine.samples
            }
        }
        return all.withLock { $0 }
    }

    private func fillThread(
        _ number: Int,
        _ call: (Int) throws -> Void
    ) throws -> (count: Int, samples: [Double]) {
        var times: [Double] = []
        times.reserveCapacity(1 << 14)
        waitForStart()
        var now = Stopwatch.now()
        // On a busy machine a thread may begin too late; it still makes one call.
        repeat {
            try call(number + times.count)
            let next = Stopwatch.now()
            times.append(next - now)
            now = next
        } while now < end
        let step = max(1, times.count / Self.sampleCount)
        return (times.count, stride(from: 0, to: times.count, by: step).map { times[$0] })
    }

    private func waitForStart() {
        var time = timespec(
            tv_sec: Int(start / 1e9),
            tv_nsec: Int(start.truncatingRemainder(dividingBy: 1e9))
        )
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
