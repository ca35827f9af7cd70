import Glibc
import KeychainModel
import KeychainPrompts

/// The streams of this process, without buffers in which a secret could remain.
final class ProcessTerminal: Terminal {
    var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }
    var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    var diagnosticsIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    var outputIsRead: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) < 1 || output.revents & Int16(POLLERR) == 0
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(KeychainError) -> Int {
        while true {
            let count = Glibc.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw KeychainError(.io, "standard input cannot be read")
            }
        }
    }

    func inputIsReady(within milliseconds: Int32) -> Bool {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, milliseconds) > 0
    }

    func readHiddenLine(
        prompt: String,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(KeychainError) -> Int {
        while true {
            guard let input = HiddenInput() else {
                throw KeychainError(
                    .io,
                    "the terminal cannot hide what you type; use a pipe instead"
                )
            }
            try write(Array(prompt.utf8), to: .diagnostics)
            // An interrupted prompt ends here: the terminal is restored, then the signal arrives.
            // If the process survives it, as after a suspension, the prompt appears again.
            guard input.waitForLine() == .ready else { continue }
            return try read(into: buffer)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to stream: OutputStream) throws(KeychainError) {
        let descriptor = stream == .output ? STDOUT_FILENO : STDERR_FILENO
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EPIPE: return
            case ENOSPC:
                throw KeychainError(.diskFull, "the disk is full: the output was not written")
            default: throw KeychainError(.io, "the output cannot be written")
            }
        }
    }
}
