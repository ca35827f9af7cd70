import Glibc

@_implementationOnly import CProcess

/// A pipe on which one thread waits, for a time or a descriptor, until another one wakes it.
///
/// A call of `wake` is never lost: it ends the present wait or the next one.
final class WakePipe: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// Returns nil if the process has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard process_waking_pipe(&ends) == 0 else { return nil }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// A descriptor that is readable once `wake` was called.
    var descriptor: Int32 { reading }

    func wake() {
        // A full pipe also wakes the reader.
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Waits up to a number of milliseconds; -1 means no limit.
    ///
    /// - Returns: Whether it was woken.
    @discardableResult
    func wait(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) == bytes.count {}
        return true
    }
}
