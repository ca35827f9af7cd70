import Foundation
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

private let marker = "hunter2-in-no-list"

/// Types a secret at a terminal of its own.
///
/// Between the two prompts it looks for the secret among the arguments and variables of all
/// processes. The secret itself comes from standard input.
private let typist = """
    import glob, os, pty, sys
    secret = sys.stdin.readline().strip().encode()
    words = ["keychainctl", "add-generic-password", "-s", "typed", "-a", "ann"]
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(words[0], words)
    def wait_for(prompt):
        seen = b""
        while prompt not in seen:
            seen += os.read(terminal, 1024)
    wait_for(b"Password")
    os.write(terminal, secret + b"\\n")
    wait_for(b"again")
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ"):
        try:
            if secret in open(path, "rb").read():
                found.append(path)
        except OSError:
            pass
    os.write(terminal, secret + b"\\n")
    try:
        while os.read(terminal, 1024):
            pass
    except OSError:
        pass
    _, status = os.waitpid(pid, 0)
    print("status", os.waitstatus_to_exitcode(status), "found", found)
    """

/// The arguments and variables of all processes that may be looked at, as one text.
private func processList() throws -> String {
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        .filter { $0.allSatisfy(\.isNumber) }
    let files = processes.flatMap { ["/proc/\($0)/cmdline", "/proc/\($0)/environ"] }
    let bytes = files.compactMap { try? Data(contentsOf: URL(filePath: $0)) }
    return String(decoding: Data(bytes.joined()), as: UTF8.self)
}

extension Programs {
    @Suite struct `The process list` {
        @Test(.requirement("OPS-05"))
        func `shows no secret that is piped, nor a passcode from a descriptor`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let file = workshop.scratch.path + "/passcode"
            try workshop.scratch.write(marker + "-passcode\n", to: file)
            #expect(chmod(file, 0o600) == 0)
            let set = ["keychainctl", "passcode", "set"]
            #expect(try workshop.run(set, input: marker + "-passcode\n").status == 0)
            let add = "exec keychainctl add-generic-password -s piped -a ann 3< \(file)"
            let words = ["KEYCHAIN_UNLOCK_WITH=fd:3", "bash", "-c", add]
            let process = try workshop.start(words, hasInput: true)
            try process.write(marker)
            let line = "/proc/\(process.processID)/cmdline"
            // The command waits for the end of its input.
            let name = Data("keychainctl\0".utf8)
            let deadline = ContinuousClock.now + .seconds(60)
            while process.isRunning, ContinuousClock.now < deadline,
                try !Data(contentsOf: URL(filePath: line)).starts(with: name)
            {}
            let list = try processList()
            #expect(list.contains("add-generic-password\0-s\0piped"))
            #expect(!list.contains(marker))
            process.closeInput()
            #expect(try process.wait().status == 0)
            let find = ["keychainctl", "find-generic-password", "-s", "piped", "-w"]
            #expect(try workshop.run(find, input: "").output == marker + "\n")
        }

        @Test(
            .requirement("OPS-05"),
            .enabled(if: Workshop.isInstalled("python3"), "python3 is not installed")
        )
        func `shows no secret that is typed`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let typed = try workshop.run("python3", "-c", typist, input: marker + "\n")
            #expect(typed.output == "status 0 found []\n")
            let find = ["keychainctl", "find-generic-password", "-s", "typed", "-w"]
            #expect(try workshop.run(find, input: "").output == marker + "\n")
        }
    }
}

@Suite struct `A secret among the arguments` {
    @Test(
        .requirement("OPS-05"),
        arguments: [
            ["add-generic-password", "-a", "ann", "-s", "mail", "-w", marker],
            ["add-internet-password", "-a", "ann", "-s", "mail", "-w", marker],
            ["add-generic-password", "-a", "ann", "-s", "mail", "-X", "6869"],
            ["unlock-keychain", "-p", marker],
        ]
    )
    func `draws a warning`(words: [String]) throws {
        let terminal = TestTerminal(input: Array("x".utf8))
        let endpoint = try TestKeychain.endpoint()
        _ = TestKeychain.run(["keychainctl"] + words, on: endpoint, terminal)
        #expect(terminal.diagnosticsText.contains("warning: other users can see a"))
        #expect(!terminal.diagnosticsText.contains(marker))
    }
}
