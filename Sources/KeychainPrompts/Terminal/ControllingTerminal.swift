import Glibc

/// The terminal of a process, independent of its standard streams.
package struct ControllingTerminal: ~Copyable {
    /// The kernel's name for the terminal of the process that opens it.
    package static let path = "/dev/tty"

    let descriptor: Int32

    /// Opens the terminal.
    ///
    /// - Returns: nil if there is none, as in a daemon, or if another job of the terminal is in the
    ///   foreground: writing would stop the process.
    package init?(_ path: String = ControllingTerminal.path) {
        let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let foreground = tcgetpgrp(descriptor)
        guard isatty(descriptor) == 1, foreground < 0 || foreground == getpgrp() else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether the terminal can be opened now.
    package static func exists(_ path: String = ControllingTerminal.path) -> Bool {
        ControllingTerminal(path) != nil
    }

    /// Writes a text.
    ///
    /// - Returns: Whether all of it was taken.
    borrowing func write(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(count, 0))
        }
        return true
    }

    /// Reads bytes from the line discipline, up to the size of the buffer.
    ///
    /// - Returns: The number of bytes; 0 at the end of input, and if the terminal has disappeared.
    borrowing func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else { return 0 }
        }
    }
}
