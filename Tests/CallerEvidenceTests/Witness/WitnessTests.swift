import CallerEvidence
import Foundation
import Glibc
import KeychainSockets
import ProcessWitness
import TestSupport
import Testing

/// The program, beside the tests.
private let program: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return (tests as NSString).deletingLastPathComponent + "/keychain-witness"
}()

@Suite(.serialized, .enabled(if: Root.isHere, Root.reason)) struct `The witness` {
    private let scene: Scene
    private var stage: Stage { scene.stage }

    init() throws { scene = try Scene() }

    private func spawn() throws -> WitnessEvidenceSource {
        try WitnessEvidenceSource.spawn(program: program, clientGroup: stage.group)
    }

    /// The witnesses that this process started and that still run.
    private func witnesses() throws -> [Int32] {
        let pids = try shell("pgrep -x -P \(getpid()) keychain-witnes").output
        return pids.split(separator: "\n").compactMap { Int32($0) }
    }

    @Test(arguments: ["waiter", "protected", "traced"])
    func `sees what root sees`(name: String) throws {
        let witness = try spawn()
        let running = try RunningProgram("\(stage.directory)/\(name)", as: stage.first)
        let seen = try running.evidence(by: witness, as: stage.first)
        #expect(seen == (try running.evidence(by: scene.source, as: stage.first)))
        #expect(seen.executable?.digest != nil)
    }

    @Test func `keeps one capability and no account but its own`() throws {
        let before = Set(try witnesses())
        let witness = try spawn()
        let running = try RunningProgram("\(stage.directory)/waiter", as: stage.first)
        _ = try running.evidence(by: witness, as: stage.first)
        let own = try #require(Set(try witnesses()).subtracting(before).first)
        let status = try String(contentsOfFile: "/proc/\(own)/status", encoding: .utf8)
        let only = String(format: "%016x", 1 << 19)
        let full = ["CapPrm", "CapEff", "CapBnd"].filter { status.contains("\($0):\t\(only)") }
        #expect(full.count == 3)
        #expect(status.contains("CapInh:\t0000000000000000"))
        #expect(status.contains("CapAmb:\t0000000000000000"))
        #expect(status.contains("NoNewPrivs:\t1"))
        #expect(!status.contains("\nUid:\t0"))
        #expect(!status.contains("\nGid:\t0"))
    }

    @Test func `says that a process has ended`() throws {
        let witness = try spawn()
        let running = try RunningProgram("\(stage.directory)/waiter", as: stage.first)
        running.end()
        #expect(throws: EvidenceError.ended) { try running.evidence(by: witness, as: stage.first) }
    }

    @Test(.requirement("DMN-15")) func `is started again when it was killed`() throws {
        let before = Set(try witnesses())
        let witness = try spawn()
        let running = try RunningProgram("\(stage.directory)/waiter", as: stage.first)
        _ = try running.evidence(by: witness, as: stage.first)
        let own = try #require(Set(try witnesses()).subtracting(before).first)
        kill(own, SIGKILL)
        let after = try? running.evidence(by: witness, as: stage.first)
        // The kernel may still have queued the question for the dying process.
        let again = try after ?? running.evidence(by: witness, as: stage.first)
        #expect(again.executable?.path == "\(stage.directory)/waiter")
    }

    @Test(.requirement("DMN-15")) func `is gone when nobody listens`() throws {
        let path = "\(try stage.folder())/witness"
        let witness = try #require(WitnessEvidenceSource.connect(path: path, clientGroup: nil))
        let running = try RunningProgram("\(stage.directory)/waiter", as: stage.first)
        #expect(throws: EvidenceError.unanswered) {
            try running.evidence(by: witness, as: stage.first)
        }
    }

    @Test func `listens at a path that only its client may use`() throws {
        let path = "\(try stage.folder())/witness"
        let words = [program, "--socket", path, "--client", "\(stage.second)"]
        let witness = try TestProgram(words).start(hears: [STDERR_FILENO])
        let line = try witness.hear(until: "\n")
        #expect(line == "keychain-witness: answers \(stage.second) at \(path)\n")
        var facts = stat()
        #expect(stat(path, &facts) == 0)
        #expect(facts.st_mode & 0o777 == 0o600)
        // Root may connect, but the witness answers the client alone.
        let source = try #require(WitnessEvidenceSource.connect(path: path, clientGroup: nil))
        let running = try RunningProgram("\(stage.directory)/waiter", as: stage.first)
        #expect(throws: EvidenceError.unanswered) {
            try running.evidence(by: source, as: stage.first)
        }
    }

    @Test(arguments: [["--client"], ["--what", "x"], ["--client", "no-such-account-here"], []])
    func `does not run with other arguments, or without a socket`(arguments: [String]) throws {
        let result = try shell("\(program) \(arguments.joined(separator: " ")) </dev/null 3<&-")
        #expect(result.status != 0)
        #expect(result.output.hasPrefix("keychain-witness: ") || result.output.contains("usage"))
    }

    @Test func `does not run without its capability`() throws {
        let path = "\(try stage.folder(of: stage.first))/witness"
        let start = "setpriv --reuid \(stage.first) --regid \(stage.first) --clear-groups"
        let result = try shell("\(start) \(program) --socket \(path) --client \(stage.first)")
        #expect(result.status == 1)
        #expect(result.output.contains("CAP_SYS_PTRACE"))
    }
}
