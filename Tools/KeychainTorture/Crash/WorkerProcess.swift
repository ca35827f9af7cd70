import Foundation
import Glibc
import Synchronization

/// One worker process, and every line that it wrote before it ended.
final class WorkerProcess: Sendable {
    private let identifier: pid_t
    private let text = Mutex<[UInt8]>([])
    private let drained = DispatchSemaphore(value: 0)

    /// Starts this program again as a worker; nil when the system refuses.
    init?(_ arguments: [String]) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words: [UnsafeMutablePointer<CChar>?] = (["keychain-torture", "worker"] + arguments)
            .map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, "/proc/self/exe", &actions, nil, words, environ)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            return nil
        }
        identifier = child
        drain(ends[0])
    }

    /// Keeps the pipe from filling up, whatever the reader of the lines is doing.
    private func drain(_ descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                text.withLock { $0 += buffer[..<count] }
            }
            close(descriptor)
            drained.signal()
        }
    }

    /// How many bytes came so far.
    var byteCount: Int { text.withLock { $0.count } }

    /// Ends the process as a power cut would end it.
    func kill() { _ = Glibc.kill(identifier, SIGKILL) }

    /// Waits for the end of the process and of its output.
    ///
    /// - Returns: its lines of the kind that tells of a write.
    func lines() -> [WorkerLine] { texts().compactMap(WorkerLine.init) }

    /// Waits for the end of the process and of its output.
    ///
    /// - Returns: its lines.
    func texts() -> [Substring] {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        drained.wait()
        let text = text.withLock { String(decoding: $0, as: UTF8.self) }
        return text.split(separator: "\n")
    }
}

/// What a worker said.
struct WorkerLine {
    enum Stage: String { case begin, end, done }

    let stage: Stage
    let operation: String
    let account: String
    let value: String
    /// nil before the call returned.
    let status: Int32?

    init?(_ line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count >= 4, let stage = Stage(rawValue: words[0]) else { return nil }
        self.stage = stage
        operation = words[1]
        account = words[2]
        value = words[3]
        status = words.count > 4 ? Int32(words[4]) : nil
    }
}
