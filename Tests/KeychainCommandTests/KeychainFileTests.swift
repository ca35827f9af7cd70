import Foundation
import TestSupport
import Testing

@testable import KeychainCommand

private let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures").path

/// What the script writes to both streams, in order; `KEYCHAIN` is the keychain's path.
private let expected = """
    security: warning: other users can see a passcode on the command line; leave it out…
    security: warning: other users can see a passcode on the command line; leave it out…
    security: note: -A and -T have no effect; access groups decide which programs see an item
    security: warning: other users can see a passphrase on the command line; leave it out…
    1 identity imported.
    security: warning: other users can see a passcode on the command line; leave it out…
    security: note: nothing changed: access groups, not partitions, decide which programs…
    security: nothing changed: programs use KEYCHAIN if they start with KEYCHAIN_HOME=KEYCHAIN
    security: nothing changed: programs use KEYCHAIN if they start with KEYCHAIN_HOME=KEYCHAIN
      1) SIGNER "Developer ID Application: Example"
         1 valid identities found
      1) SIGNER "Developer ID Application: Example"
         1 valid identities found
         0 valid identities found
    security: warning: other users can see a passcode on the command line; leave it out…
    security: errSecAuthFailed (-25293): …
    refused: 51
    security: that is no keychain: make one with create-keychain, or name none…
    gone: 2

    """

extension Programs {
    @Suite struct `macOS's commands for keychain files` {
        @Test(.requirement("PKG-07"))
        func `sign in the order of a workflow`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let (bin, keychain) =
                (workshop.scratch.path + "/bin", workshop.scratch.path + "/app-signing.keychain-db")
            try FileManager.default.createDirectory(
                atPath: bin,
                withIntermediateDirectories: false
            )
            try FileManager.default.createSymbolicLink(
                atPath: bin + "/security",
                withDestinationPath: workshop.products + "/keychainctl"
            )
            let script = [
                "RUNNER_TEMP=" + workshop.scratch.path, "KEYCHAIN_PASSWORD=abc",
                "P12_PASSWORD=sesame", "CERTIFICATE_PATH=\(fixtures)/signer.p12",
                "SSL_CERT_FILE=\(fixtures)/signer.pem", "KEYCHAIN_SOCKET=",
                "PATH=\(bin):/usr/bin:/bin", "bash", fixtures + "/sign.sh",
            ]
            let end = try workshop.run(script, input: "")
            // The account's own keychain is new when the script first looks into it.
            let lines = end.output.replacing(keychain, with: "KEYCHAIN")
                .replacing(/[0-9A-F]{40}/, with: "SIGNER").split(separator: "\n")
                .filter { !$0.contains(" is new, and anyone") }
            #expect(Transcript.matches(lines.joined(separator: "\n") + "\n", expected), "\(end)")
            #expect(end.status == 0)
            #expect(!FileManager.default.fileExists(atPath: keychain))
        }

        @Test func `leave no directory that nobody can use`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let place = workshop.scratch.path + "/made.keychain"
            let line = "umask 777; exec keychainctl create-keychain -p '' '\(place)'"
            let run = try workshop.run(["KEYCHAIN_SOCKET=", "sh", "-c", line], input: "")
            #expect(run.status != 0)
            #expect(run.output.contains("umask"))
            #expect(!FileManager.default.fileExists(atPath: place))
        }

        @Test(.requirement("PKG-07"))
        func `take a passcode that no other user sees, and delete nothing else`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let session = """
                create-keychain -p 'a b' build.keychain
                add-generic-password -s mail -a ann build.keychain
                hunter2
                lock-keychain build.keychain
                unlock-keychain -p 'a b' build.keychain
                find-generic-password -s mail -w build.keychain

                """
            let words = ["KEYCHAIN_SOCKET=", "keychainctl", "-i"]
            let run = try workshop.run(words, input: session)
            #expect(run.output == "hunter2\n")
            #expect(run.status == 0)
            let place = workshop.scratch.path + "/keychain.named/build.keychain"
            try workshop.scratch.write("mine", to: place + "/notes.txt")
            let delete = ["KEYCHAIN_SOCKET=", "keychainctl", "delete-keychain", "build.keychain"]
            let refused = try workshop.run(delete, input: "")
            #expect(refused.status == 53)
            #expect(refused.output.contains("also holds notes.txt"))
            try FileManager.default.removeItem(atPath: place + "/notes.txt")
            // The keychain that programs use, by a link or while another one is chosen.
            let own = workshop.scratch.path + "/keychain"
            _ = try workshop.run(["KEYCHAIN_SOCKET=", "keychainctl", "status"], input: "")
            let link = workshop.scratch.path + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: own)
            let byLink = ["KEYCHAIN_SOCKET=", "keychainctl", "delete-keychain", link]
            #expect(try workshop.run(byLink, input: "").status == 49)
            let other = ["KEYCHAIN_SOCKET=", "KEYCHAIN_HOME=" + place, "keychainctl"]
            let end = try workshop.run(other + ["delete-keychain", own], input: "")
            #expect(end.status == 49)
            #expect(end.output.contains("create-keychain did not make"))
            #expect(FileManager.default.fileExists(atPath: own + "/keychain.db"))
            #expect(try workshop.run(delete, input: "").status == 0)
            #expect(!FileManager.default.fileExists(atPath: place))
        }
    }
}

@Suite struct `Words of a line of commands` {
    @Test(
        arguments: [
            ("a  b\tc", ["a", "b", "c"]), ("'a b' \"c d\"", ["a b", "c d"]), ("a\\ b", ["a b"]),
            ("'' x", ["", "x"]), ("a'b'\"c\"", ["abc"]), ("\"a\\\"b\" 'c\\d'", ["a\"b", "c\\d"]),
            ("", []), ("   ", []), ("'open", nil), ("\"open", nil), ("\\", ["\\"]),
            ("\"\u{301} -a x\" y", ["\u{301} -a x", "y"]), ("a \u{301}b", ["a", "\u{301}b"]),
            ("a b\r", ["a", "b"]),
        ] as [(String, [String]?)]
    )
    func `are split as a shell splits them`(line: String, words: [String]?) {
        #expect(CommandLineWords.split(line) == words)
    }

    @Test(arguments: [([0x61], false), ([0x61, 0xE9], true), ([0xC3, 0xA9], false)])
    func `of an argument that is not UTF-8 are noticed`(bytes: [UInt8], isInexact: Bool) {
        var word = bytes.map(CChar.init(bitPattern:)) + [0]
        word.withUnsafeMutableBufferPointer { word in
            let words = [word.baseAddress, nil]
            #expect(Invocation.hasInexactWord(words, 2) == isInexact)
        }
    }

    @Test func `of a line that is not UTF-8 are refused, and the session goes on`() throws {
        let latin = Array("add-generic-password -s x -a y -w caf".utf8) + [0xE9, 0x0A]
        let lines = latin + Array("add-generic-password -s y -a y -w z".utf8)
        let terminal = TestTerminal(input: lines)
        let endpoint = try TestKeychain.endpoint()
        #expect(TestKeychain.run(["keychainctl", "-i"], on: endpoint, terminal) == 2)
        #expect(terminal.diagnosticsText.contains("not UTF-8"))
        let find = { ["keychainctl", "find-generic-password", "-w", "-s", $0] }
        #expect(TestKeychain.run(find("x"), on: endpoint, TestTerminal()) == 44)
        #expect(TestKeychain.run(find("y"), on: endpoint, TestTerminal()) == 0)
    }
}
