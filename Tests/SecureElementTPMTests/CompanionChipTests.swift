import Foundation
import Glibc
import KeychainHost
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import SecureElementTPM

@Suite(.enabled(if: TestTPM.program != nil, "swtpm is not installed"))
struct `A TPM behind keychain-tpm` {
    private static func program() throws -> String {
        try BuiltPrograms.path(CompanionChip.programName)
    }

    /// A program of a test in the place of `keychain-tpm`.
    private static func script(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/chip-" + UUID().uuidString
        let line = "printf '%s\\n' '#!/bin/sh' \"$1\" >\"$2\" && chmod 700 \"$2\""
        _ = try TestProgram(["/bin/sh", "-c", line, "sh", text, path]).run()
        return path
    }

    @Test(.requirement("HRD-02"))
    func `makes keys and codes as one in the process does`() throws {
        let tpm = try TestTPM()
        let companion = CompanionChip(place: tpm.place, program: try Self.program())
        let direct = TPMChip(place: tpm.place)
        let message = Secret(copying: Array("message".utf8))
        for key in [try companion.makeKey(), try direct.makeKey()] {
            let codes = [
                try companion.authenticate(message, under: key).copyBytesUnprotected(),
                try direct.authenticate(message, under: key).copyBytesUnprotected(),
            ]
            #expect(codes[0] == codes[1])
            #expect(codes[0].count == 32)
        }
    }

    @Test func `says why nothing was done`() throws {
        let place = "swtpm:path=/nonexistent/socket"
        let companion = CompanionChip(place: place, program: try Self.program())
        let failure = #expect(throws: DeviceError.self) { try companion.makeKey() }
        guard case .element(let reason)? = failure else {
            return #expect(Bool(false), "\(String(describing: failure))")
        }
        #expect(reason.contains(place))
    }

    @Test(arguments: [
        "exit 1", "exit 0", "printf x", "kill -9 $$", "head -c 5000 /dev/zero",
        "cat >/dev/null; printf '\\001\\000\\000\\001x'", "yes",
    ])
    func `fails with a program that does not keep to the messages`(script: String) throws {
        let program = try Self.script(script)
        defer { unlink(program) }
        let companion = CompanionChip(place: "x", program: program)
        let message = Secret(copying: [1])
        #expect(throws: DeviceError.self) {
            _ = try companion.authenticate(message, under: [1])
        }
    }

    @Test func `fails without the program`() {
        let companion = CompanionChip(place: "x", program: "/nonexistent/keychain-tpm")
        #expect(throws: DeviceError.self) { try companion.makeKey() }
    }

    @Test(.requirement("HRD-02"))
    func `gets a clean environment and no descriptor of the process`() throws {
        let note = FileManager.default.temporaryDirectory.path + "/chip-" + UUID().uuidString
        let script = "cat >/dev/null; { env; ls /proc/self/fd; } >\(note); exit 1"
        let program = try Self.script(script)
        defer {
            unlink(program)
            unlink(note)
        }
        // A descriptor that is not closed on exec, as one of a library may be.
        let leaked = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
        defer { close(leaked) }
        _ = fcntl(leaked, F_SETFD, 0)
        #expect(throws: DeviceError.self) {
            try CompanionChip(place: "x", program: program).makeKey()
        }
        let words = try String(contentsOfFile: note, encoding: .utf8).split(separator: "\n")
        let names = Set(words.filter { $0.contains("=") }.map { $0.prefix { $0 != "=" } })
        // The shell adds its own.
        #expect(names.subtracting(["PWD", "OLDPWD", "SHLVL", "_"]) == ["PATH", "TSS2_LOG"])
        // One more is the directory that `ls` lists.
        #expect(words.filter { !$0.contains("=") }.count <= 4)
    }
}
