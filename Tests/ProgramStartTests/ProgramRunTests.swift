import Foundation
import Glibc
import ProgramStart
import Secrets
import Synchronization
import TestSupport
import Testing

private let shell = "/bin/sh"
private let patience = RunLimits(time: .seconds(60))

private func run(_ script: String, _ change: (inout ProgramPlan) -> Void = { _ in }) throws
    -> ProgramOutcome
{
    var plan = ProgramPlan(shell, ["-c", script], environment: ["PATH=/usr/bin:/bin"])
    change(&plan)
    return try plan.run(within: patience)
}

@Suite struct `A program that is run` {
    @Test func `has its output, its errors and its status collected`() throws {
        let outcome = try run("echo one; echo two >&2; exit 7")
        #expect(outcome.output == Array("one\n".utf8))
        #expect(outcome.errors == Array("two\n".utf8))
        #expect(outcome.end == .exited(7))
    }

    @Test func `reads its input, however much it is`() throws {
        let input = [UInt8](repeating: UInt8(ascii: "x"), count: 900_000)
        let outcome = try ProgramPlan("/bin/cat").run(input: input, within: patience)
        #expect(outcome.end == .exited(0))
        #expect(outcome.output == input)
    }

    @Test func `does not stop a caller whose input it leaves`() throws {
        let input = [UInt8](repeating: 1, count: 900_000)
        #expect(try ProgramPlan("/bin/true").run(input: input, within: patience).succeeded)
    }

    @Test func `is killed with its whole group when its time is over`() throws {
        let outcome = try ProgramPlan.timed("echo before; sleep 600 & sleep 600")
            .run(within: RunLimits(time: .milliseconds(500)))
        #expect(outcome.end == .late)
        #expect(outcome.output == Array("before\n".utf8))
    }

    @Test func `is killed when it writes more than is wanted`() throws {
        let outcome = try ProgramPlan("/usr/bin/yes")
            .run(within: RunLimits(time: .seconds(60), byteCount: 1_000))
        #expect(outcome.end == .tooLong)
        #expect(outcome.output.count == 1_000)
    }

    @Test func `may write exactly as much as is wanted`() throws {
        let outcome = try ProgramPlan("/usr/bin/printf", ["12345"])
            .run(within: RunLimits(time: .seconds(60), byteCount: 5))
        #expect(outcome.end == .exited(0))
        #expect(outcome.output == Array("12345".utf8))
    }

    @Test(.requirement("RLS-03"))
    func `is not waited for by a pipe that another program inherited`() throws {
        let outcome = try run("sleep 600 & echo $!")
        #expect(outcome.end == .exited(0))
        let text = String(decoding: outcome.output, as: UTF8.self)
        let sleeper = try #require(Int32(text.prefix { $0.isNumber }))
        #expect(kill(sleeper, SIGKILL) == 0, "it still runs, and has the pipe")
    }

    @Test func `has a secret output in memory that is wiped`() throws {
        let outcome = try ProgramPlan("/bin/cat")
            .runForSecret(input: Secret(copying: Array("quiet".utf8)), within: patience)
        #expect(outcome.end == .exited(0))
        let output = outcome.output.copyBytesUnprotected()
        #expect(output == Array("quiet".utf8))
    }

    @Test(arguments: [("/nonexistent/program", ENOENT), ("/tmp", EACCES), ("true", EINVAL)])
    func `is refused by its reason if it cannot be started`(path: String, code: Int32) {
        #expect(throws: StartFailure(path, code)) { try ProgramPlan(path).start().detach() }
    }

    @Test(arguments: ["one\0two", "\0"])
    func `is refused if a word would be cut`(word: String) {
        #expect(throws: StartFailure("/bin/true", EINVAL)) {
            try ProgramPlan("/bin/true", [word]).run(within: patience)
        }
    }
}

extension ProgramPlan {
    fileprivate static func timed(_ script: String) -> ProgramPlan {
        var plan = ProgramPlan(shell, ["-c", script], environment: ["PATH=/usr/bin:/bin"])
        plan.group = .own
        return plan
    }
}

@Suite struct `A program that is started` {
    @Test(.requirement("RLS-03"))
    func `gets the descriptors of its plan, and no other one`() throws {
        // Planted: two that nobody marked, of which one is far away.
        let near = open("/dev/zero", O_RDONLY)
        let far = fcntl(near, F_DUPFD, 700)
        defer {
            close(near)
            close(far)
        }
        #expect(fcntl(near, F_GETFD) == 0 && fcntl(far, F_GETFD) == 0)
        let outcome = try ProgramPlan("/bin/ls", ["-1", "/proc/self/fd"]).run(within: patience)
        // The last one is the directory that is listed.
        #expect(String(decoding: outcome.output, as: UTF8.self) == "0\n1\n2\n3\n")
    }

    /// Writes programs and starts each at once, on several threads; why some did not start.
    private func refusals(of count: Int, in folder: String) -> [String] {
        let refusals = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { thread in
            for number in 0..<count {
                let path = "\(folder)/\(thread)-\(number)"
                do {
                    try Data("#!/bin/true\n".utf8).write(to: URL(filePath: path))
                    guard chmod(path, 0o755) == 0 else { throw StartFailure(path, errno) }
                    _ = try ProgramPlan(path).run(within: patience)
                } catch { refusals.withLock { $0.append("\(error)") } }
            }
        }
        return refusals.withLock { $0 }
    }

    @Test(.requirement("RLS-03"))
    func `may be one that was just written, while other threads start others`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/written-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { Litter.remove(folder) }
        #expect(refusals(of: 30, in: folder) == [])
    }

    @Test(.requirement("RLS-03"))
    func `gets them under their numbers, with nothing between`() throws {
        let file = open("/dev/zero", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        // Above the numbers that the test looks at, whatever else this process has open.
        let zero = fcntl(file, F_DUPFD_CLOEXEC, 10)
        defer { close(zero) }
        let outcome = try run("for n in 0 1 2 3 4 5 6 7 8; do readlink /proc/self/fd/$n; done") {
            // Their own numbers are taken by others of the plan.
            $0.descriptors = [STDIN_FILENO: zero, zero: STDIN_FILENO, 7: zero]
        }
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "/dev/zero")
        #expect(lines.last == "/dev/zero")
        #expect(lines.filter { $0 == "/dev/zero" }.count == 2)
    }

    @Test func `has /dev/null for standard streams that its plan leaves out`() throws {
        var plan = ProgramPlan(shell, ["-c", "readlink /proc/$$/fd/0 /proc/$$/fd/2"])
        plan.environment = ["PATH=/usr/bin:/bin"]
        plan.descriptors[STDERR_FILENO] = nil
        let outcome = try plan.runForSecret(
            input: Secret(byteCount: 0) { _ in },
            within: patience
        )
        #expect(outcome.end == .exited(0))
        let output = outcome.output.copyBytesUnprotected()
        #expect(output == Array("/dev/null\n/dev/null\n".utf8))
    }

    @Test func `has its own environment, directory and name`() throws {
        let outcome = try run("echo $0; pwd; env") {
            $0.environment = ["A=1", "PATH=/usr/bin:/bin"]
            $0.directory = "/proc"
            $0.name = "other"
        }
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        #expect(Set(lines).isSuperset(of: ["other", "/proc", "A=1"]))
        #expect(!lines.contains { $0.hasPrefix("HOME=") })
    }

    @Test func `has every signal default and unblocked`() throws {
        var (blocked, before) = (sigset_t(), sigset_t())
        sigfillset(&blocked)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let outcome = try ProgramPlan("/bin/grep", ["-E", "^Sig(Blk|Ign)", "/proc/self/status"])
            .run(within: patience)
        let lines = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n")
        let sets = lines.compactMap { UInt64($0.suffix(16), radix: 16) }
        // glibc has signals 32 and 33 ignored until a program of its own uses them.
        #expect(sets.map { $0 & ~0x1_8000_0000 } == [0, 0])
    }

    @Test func `ends with its value`() throws {
        var number: pid_t = 0
        do {
            let program = try ProgramPlan("/bin/sleep", ["600"]).start()
            number = program.processID
            #expect(kill(number, 0) == 0)
        }
        #expect(kill(number, 0) == -1 && errno == ESRCH)
    }

    @Test func `runs on when it is detached`() throws {
        let number = try ProgramPlan("/bin/sleep", ["600"]).start().detach()
        #expect(kill(number, SIGKILL) == 0)
        var status: Int32 = 0
        #expect(waitpid(number, &status, 0) == number)
        #expect(status == SIGKILL)
    }

    @Test func `is waited for no longer than asked`() throws {
        var program = try ProgramPlan("/bin/sleep", ["600"]).start()
        #expect(program.wait(upTo: .milliseconds(20)) == nil)
        #expect(program.stop() == .killed(SIGKILL))
        #expect(program.wait() == .killed(SIGKILL))
    }

    @Test func `may end by itself when it is told to`() throws {
        var program = try TestProgram([shell, "-c", "trap 'exit 4' TERM; echo; sleep 600 & wait"])
        program.plan.farewell = .seconds(60)
        let process = try program.start(hasInput: true)
        try process.hear(until: "\n")
        #expect(process.stop() == .exited(4))
    }
}

@Suite struct `A program of a test` {
    private func hanging(_ script: String) throws -> TestProgram {
        var program = try TestProgram([shell, "-c", script])
        program.limit = .milliseconds(500)
        return program
    }

    @Test(.requirement("RLS-03"))
    func `fails the test with what it wrote if it hangs`() throws {
        let error = #expect(throws: ProgramFailure.self) {
            try hanging("echo almost done; sleep 600").run()
        }
        #expect(error?.description.contains("almost done") == true)
        #expect(error?.description.contains("did not end within 0.5 seconds") == true)
    }

    @Test(.requirement("RLS-03"))
    func `fails the test likewise if it does not write what is waited for`() throws {
        let process = try hanging("echo starting; sleep 600").start()
        let error = #expect(throws: ProgramFailure.self) { try process.hear(until: "ready") }
        #expect(error?.description.contains("starting") == true)
    }

    @Test func `is heard to its end, also of what it wrote before the test listened`() throws {
        let process = try TestProgram([shell, "-c", "echo one; echo two >&2; exit 3"])
            .start(hears: [STDOUT_FILENO, STDERR_FILENO])
        #expect(try process.hear(until: "\n") == "one\n")
        let result = try process.wait()
        #expect(result.status == 3)
        #expect(result.output == "one\ntwo\n")
        #expect(try process.line() == "two")
        #expect(try process.line() == nil)
    }

    @Test func `takes its input while it runs`() throws {
        let process = try TestProgram([shell, "-c", "read a; echo got $a; cat"]).start(
            hasInput: true
        )
        try process.write("x\n")
        #expect(try process.hear(until: "\n") == "got x\n")
        process.closeInput()
        #expect(try process.wait().status == 0)
    }
}

@Suite struct `Looking for a program` {
    @Test(arguments: [
        ("sh", "/nonexistent:/bin", "/bin/sh"), ("sh", "bin::.:/bin", "/bin/sh"),
        ("/bin/sh", "", "/bin/sh"), ("sh", "", nil), ("sh", "/etc", nil), ("/etc", "", nil),
    ])
    func `finds absolute paths alone`(name: String, path: String, found: String?) {
        #expect(ProgramSearch.path(of: name, in: path) == found)
    }

    @Test func `makes a path absolute`() throws {
        let found = ProgramSearch.path(of: "Scripts/test.sh", in: nil)
        #expect(found == nil || found?.hasPrefix("/") == true)
    }
}
