import Foundation
import Glibc
import KeychainHost
import KeychainModel
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainCommand
@testable import SecureElementTPM

/// Whether the kernel's resource manager would answer.
private let hasTPM = access("/dev/tpmrm0", F_OK) == 0

/// A terminal whose input is written down beforehand and whose output is kept.
final class RecordingTerminal: Terminal {
    let inputIsTerminal = false
    let outputIsTerminal = false
    private(set) var texts: [KeychainCommand.OutputStream: String] = [:]
    private var input: ArraySlice<UInt8>

    init(input: String) { self.input = [UInt8](input.utf8)[...] }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let taken = input.prefix(buffer.count)
        input = input.dropFirst(taken.count)
        buffer.copyBytes(from: taken)
        return taken.count
    }

    func readHiddenLine(prompt: String, into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }

    func write(_ bytes: UnsafeRawBufferPointer, to stream: KeychainCommand.OutputStream) {
        texts[stream, default: ""] += String(decoding: bytes, as: UTF8.self)
    }
}

/// A keychain directory of one test, and the command over it.
final class TestDirectory {
    let path: String

    init() throws {
        let name = "/keychain-tpm-" + UUID().uuidString
        path = FileManager.default.temporaryDirectory.path + name
        try check(mkdir(path, 0o700) == 0, "mkdir \(path)")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func environment(_ element: String?) -> ProcessEnvironment {
        let variables = [
            "KEYCHAIN_HOME": path + "/keychain", "XDG_RUNTIME_DIR": path, "KEYCHAIN_SOCKET": "",
            SecureElements.variable: element ?? "",
        ]
        return ProcessEnvironment(executable: path + "/program") { variables[$0] }
    }

    func open(_ element: String?) throws(KeychainError) -> EngineEndpoint {
        let environment = environment(element)
        return try EmbeddedKeychain.open(try KeychainHome(environment), environment)
    }

    /// Runs the command as a process of its own would.
    func run(_ words: [String], element: String?, input: String = "") -> Ran {
        let terminal = RecordingTerminal(input: input)
        let environment = environment(element)
        let invocation = Invocation(
            program: "keychainctl",
            terminal: terminal,
            connect: { () throws(KeychainError) in
                try NewKeychainNotice.connect(environment, program: "keychainctl", terminal) {
                    () throws(KeychainError) in try self.open(element)
                }
            }
        )
        let status = invocation.run(words)
        return Ran(
            status: status,
            output: terminal.texts[.output] ?? "",
            diagnostics: terminal.texts[.diagnostics] ?? ""
        )
    }

    /// What a command did.
    struct Ran {
        let status: Int32
        let output: String
        let diagnostics: String
    }
}

@Suite(.enabled(if: TestTPM.program != nil, "swtpm is not installed: run Scripts/setup.sh"))
struct `A keychain on a TPM` {
    private let tpm: TestTPM
    private let directory: TestDirectory
    private var element: String { "tpm2:" + tpm.place }

    init() throws {
        tpm = try TestTPM()
        directory = try TestDirectory()
    }

    @Test(.requirement("KEY-21"))
    func `reports it, while one without reports software and warns once`() throws {
        let made = directory.run(["status", "--json"], element: element)
        #expect(made.output.contains(#""secureElement": "tpm2""#) && made.diagnostics.isEmpty)
        #expect(directory.run(["status"], element: element).output.contains("tpm2"))
        guard case .status(let status) = try directory.open(element).send(.status) else {
            Issue.record("no status")
            return
        }
        #expect(status.deviceSecurity.level == .tpm2)

        let plain = try TestDirectory()
        let first = plain.run(["status", "--json"], element: nil)
        #expect(first.output.contains(#""secureElement": "software""#))
        #expect(first.diagnostics.contains("create it on a TPM"))
        #expect(plain.run(["status"], element: nil).diagnostics.isEmpty)
        guard case .status(let plainly) = try plain.open(nil).send(.status) else {
            Issue.record("no status")
            return
        }
        #expect(plainly.deviceSecurity.level == .software)
    }

    @Test func `gives items back after a restart, and with another TPM none`() throws {
        let add = ["add-generic-password", "-s", "mail", "-a", "alice"]
        let added = directory.run(add, element: element, input: "hunter2")
        #expect(added.status == 0, "\(added.diagnostics)")
        try tpm.restart()
        let find = ["find-generic-password", "-s", "mail", "-w"]
        let found = directory.run(find, element: element)
        #expect(found.output == "hunter2\n")
        let other = try TestTPM()
        defer { other.stop() }
        let refused = directory.run(find, element: "tpm2:" + other.place)
        #expect(refused.status != 0 && refused.output.isEmpty)
        #expect(refused.diagnostics.contains("is not the one that made this keychain"))
        let again = directory.run(find, element: element)
        #expect(again.output == "hunter2\n")
    }

    @Test func `is not opened as software, nor one of software on a TPM`() throws {
        _ = try directory.open(element)
        #expect(refusal(directory, "software").contains("was made with tpm2"))
        let plain = try TestDirectory()
        _ = try plain.open("software")
        #expect(refusal(plain, element).contains("was made with software"))
        _ = try plain.open(nil)
    }

    @Test(.disabled(if: hasTPM, "this machine has a TPM, which is no test's to use"))
    func `is looked for at the kernel's resource manager unless told where`() throws {
        _ = try directory.open(element)
        #expect(refusal(directory, nil).contains("device:/dev/tpmrm0"))
        #expect(refusal(directory, "tpm2").contains("device:/dev/tpmrm0"))
    }

    @Test func `without support for its kind is refused, and nothing is made`() throws {
        #expect(refusal(directory, "enclave").contains("this program does not support"))
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/keychain/keybag"))
    }

    private func refusal(_ directory: TestDirectory, _ element: String?) -> String {
        do throws(KeychainError) {
            _ = try directory.open(element)
            return "opened"
        } catch { return "\(error)" }
    }
}
