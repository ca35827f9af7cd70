import Glibc
import SystemBus

/// A verification that waits for a finger, and reports each result as a line.
struct Verification {
    /// The reason why the wait ended.
    enum End: Equatable {
        case match(String)
        case noMatch
        /// The reader or the waiting program is gone.
        case absent
    }

    /// fprintd's words for another attempt; unknown words are errors.
    private static let retries: Set<String> = [
        "verify-retry-scan", "verify-swipe-too-short", "verify-finger-not-centered",
        "verify-remove-and-retry",
    ]

    private let enrolled: [String]
    private var selected: String?

    init(enrolled: [String]) { self.enrolled = enrolled }

    mutating func run(_ device: borrowing FingerprintDevice) throws(BusError) -> End {
        try device.start()
        defer { device.stop() }
        Output.write("touch")
        while true {
            while let event = try device.next() {
                if let end = try take(event, device) { return end }
            }
            guard Self.wait(for: device.descriptor) else { return .absent }
        }
    }

    private mutating func take(
        _ event: FingerprintEvent,
        _ device: borrowing FingerprintDevice
    ) throws(BusError) -> End? {
        switch event {
        case .selected(let finger):
            selected = finger
            return nil
        case .status("verify-match", _):
            // A reader that identifies fingers does not report which one it was.
            let finger = enrolled.first { $0 == selected } ?? enrolled.first
            return finger.map(End.match) ?? .noMatch
        case .status("verify-no-match", _): return .noMatch
        case .status(let word, let isDone):
            guard Self.retries.contains(word) else { return .absent }
            Output.write("retry \(word)")
            if isDone { try device.restart() }
            return nil
        }
    }

    /// Waits for the bus.
    ///
    /// - Returns: Whether to continue; false at the end of standard input, because then no program
    ///   waits.
    private static func wait(for bus: Int32) -> Bool {
        var requests = [
            pollfd(fd: bus, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&requests, 2, -1) < 0 { guard errno == EINTR else { return false } }
        return requests[1].revents == 0
    }
}

/// Standard output without a buffer.
enum Output {
    /// Writes a line; the end of standard input reveals a reader that has gone.
    static func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(STDOUT_FILENO, bytes, bytes.count)
    }
}
