import Foundation
import Testing

/// A program that runs beside a test until the test ends it.
///
/// Foundation's `Process` learns that a child has ended from a socket that the child closes. A
/// service that inherits the socket of another child would keep it open, so this one closes all
/// that it inherits.
final class Service {
    private static let closing = """
        for file in /proc/$$/fd/*; do
            number=${file##*/}
            if ((number > 2)); then eval "exec $number>&-"; fi
        done
        exec "$@"
        """

    let processID: pid_t
    private let output: Int32

    init(_ words: [String], _ environment: [String: String]) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let arguments = ["bash", "-c", Self.closing, "service"] + words
        var texts = arguments.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (texts + variables).forEach { free($0) } }
        var child: pid_t = 0
        try #require(posix_spawn(&child, "/bin/bash", &actions, nil, &texts, &variables) == 0)
        processID = child
    }

    /// What it writes first.
    func firstOutput() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(output, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    /// Ends it, and waits until it has ended.
    func end() {
        kill(processID, SIGTERM)
        waitpid(processID, nil, 0)
        close(output)
    }
}
