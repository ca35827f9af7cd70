import Glibc
import ProgramStart
import Synchronization

@_implementationOnly import CProcess

/// A program that makes one call, which another thread may kill.
///
/// Its input and output are files in memory, which stay small.
final class ToolCall: Sendable {
    struct Outcome {
        /// The exit status; -1 for a signal.
        var code: Int32 = -1
        var text = ""
        var complaint = ""
        /// Whether the program exceeded its time.
        var isLate = false
    }

    private static let byteLimit = 1 << 16

    private let program: Mutex<StartedProgram>
    private let files: [Int32]

    init(_ plan: ProgramPlan, input: String) throws(StartFailure) {
        var plan = plan
        let bytes = Array(input.utf8)
        let sizes = [max(bytes.count, 1), Self.byteLimit, Self.byteLimit]
        let files = sizes.map { process_memory_file("call", $0) }
        let isWhole = !files.contains { $0 < 0 } && pwrite(files[0], bytes, bytes.count, 0) >= 0
        if bytes.isEmpty {
            plan.descriptors = [STDOUT_FILENO: files[1], STDERR_FILENO: files[2]]
        } else {
            plan.descriptors = [
                STDIN_FILENO: files[0], STDOUT_FILENO: files[1], STDERR_FILENO: files[2],
            ]
        }
        do throws(StartFailure) {
            guard isWhole else { throw StartFailure(plan.path, ENOMEM) }
            program = Mutex(try plan.start())
        } catch {
            for file in files where file >= 0 { close(file) }
            throw error
        }
        self.files = files
    }

    deinit { for file in files { close(file) } }

    func kill() { program.withLock { $0.send(SIGKILL) } }

    /// Waits until the program ends; kills it after the time limit.
    func outcome(within limit: Duration) -> Outcome {
        let deadline = ContinuousClock.now + limit
        let process = program.withLock { $0.descriptor }
        var outcome = Outcome()
        while program.withLock({ $0.wait(upTo: .zero) }) == nil {
            guard ContinuousClock.now < deadline else {
                outcome.isLate = true
                program.withLock { _ = $0.stop() }
                break
            }
            var request = pollfd(fd: process, events: Int16(POLLIN), revents: 0)
            poll(&request, 1, 1000)
        }
        if case .exited(let status) = program.withLock({ $0.wait(upTo: .zero) }) {
            outcome.code = status
        }
        (outcome.text, outcome.complaint) = (Self.text(of: files[1]), Self.text(of: files[2]))
        return outcome
    }

    /// Returns the output of the program: the file keeps its full size, and the offset is at the
    /// end.
    private static func text(of file: Int32) -> String {
        let count = max(0, min(Int(lseek(file, 0, SEEK_CUR)), byteLimit))
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(file, &bytes, count, 0)
        return String(decoding: bytes.prefix(max(0, read)), as: UTF8.self)
    }
}
