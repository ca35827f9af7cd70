import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct `A test process that is killed` {
    /// Keeps a pipe of the name open, says so, and stays.
    private static let script = "exec 3>\"$1\"; echo open; exec sleep 600"
    private static let daemonScript = "exec 3>\"$1\"; sleep 600 & echo open; wait"

    /// The end of the pipe comes when the last program that has it has ended.
    private func hearsTheEnd(of pipe: Int32) -> Bool {
        var request = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        // Nobody writes to it.
        return poll(&request, 1, 60_000) == 1 && read(pipe, &byte, 1) == 0
    }

    @Test(arguments: [script, daemonScript])
    func `ends the programs that it started, and their children`(script: String) async throws {
        let path = FileManager.default.temporaryDirectory.path + "/kept-" + UUID().uuidString
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        let pipe = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(pipe >= 0)
        defer { close(pipe) }
        let words = ["/bin/sh", "-c", script, "sh", path]
        await #expect(processExitsWith: .signal(SIGKILL)) { [words = words as [String]] in
            let process = try TestProgram(words).start()
            try process.hear(until: "open\n")
            kill(getpid(), SIGKILL)
            withExtendedLifetime(process) {}
        }
        #expect(hearsTheEnd(of: pipe))
    }
}
