import Foundation
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `The address of systemd's end of a connection` {
    @Test func `names the unit and the credential`() {
        let name = Array("\0a5d73b8975f74b66/unit/shop@1-a\\x2d.service/db-password".utf8)
        let request = CredentialRequest(peerName: name)
        #expect(request?.unit == "shop@1-a\\x2d.service")
        #expect(request?.credential == "db-password")
    }

    @Test func `names a credential with spaces`() {
        let name = Array("\0a/unit/shop.service/db password".utf8)
        #expect(CredentialRequest(peerName: name)?.credential == "db password")
    }

    @Test(
        arguments: [
            "", "\0", "a/unit/b.service/c", "\0/unit/b.service/c", "\0x/unit/b.service/c",
            "\0a/unit/b.service", "\0a/unit/b.service/", "\0a/unit//c", "\0a/unit/b/c",
            "\0a/unit/b.service/c/d", "\0a/units/b.service/c", "\0a/unit/b.service/c\0",
            "\0a/unit/b.service/c\n", "\0a/unit/b .service/c", "\0a/unit/é.service/c",
            "\0\0a/unit/b.service/c",
        ]
    )
    func `is refused if systemd would not make it`(text: String) {
        #expect(CredentialRequest(peerName: Array(text.utf8)) == nil)
    }

    @Test func `is refused if it is not text`() {
        #expect(CredentialRequest(peerName: Array("\0a/unit/b.service/".utf8) + [0xFF]) == nil)
    }
}

/// What a unit asks for, and what becomes of it.
private struct Handover: CustomTestStringConvertible, Sendable {
    let address: String
    let status: Int32
    let shown: [String]

    var testDescription: String { address }

    init(_ address: String, status: Int32, shows shown: String...) {
        self.address = address
        self.status = status
        self.shown = shown
    }

    static let refusal = "too long: the unit does not start"

    static let all = [
        Handover("1f/unit/shop.service/db-password", status: 0, shows: "two\nlines"),
        Handover("1f/unit/other.service/db-password", status: 44, shows: refusal, "-25300"),
        Handover("1f/unit/shop.service/gated", status: 36, shows: refusal, "-25308"),
        Handover("1f/unit/shop.service", status: 2, shows: refusal, "names no unit and credential"),
        Handover("@none", status: 2, shows: refusal, "names no unit and credential"),
        Handover("2f/unit/shop.service/log", status: 0, shows: "not in a log"),
    ]
}

extension Programs {
    @Suite(.enabled(if: Workshop.isInstalled("python3"), "python3 is not installed"))
    struct `A credential of a systemd unit` {
        private static let client = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/credential-client.py").path

        @Test func `comes whole to its unit, or not at all`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let add = ["keychainctl", "add-generic-password", "-s", "shop.service", "-a"]
            try workshop.run(add + ["db-password"], input: "two\nlines\n")
            try workshop.run(add + ["log"], input: "not in a log\n")
            try workshop.run("keychainctl", "passcode", "set", input: "tundra velvet orbit mango\n")
            try workshop.run(add + ["gated", "--require", "userPresence"], input: "hunter2\n")
            let failures = try Handover.all.filter { handover in
                let run = try workshop.run("python3", Self.client, handover.address)
                return run.status != handover.status || run.output.contains("hunter2")
                    || !handover.shown.allSatisfy(run.output.contains)
            }
            #expect(failures.map(\.address) == [])
        }

        @Test func `is refused without a connection`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let run = try workshop.run("keychainctl", "serve-credential")
            #expect(run.status == 2)
            #expect(run.output.contains("is not a connection of systemd"))
        }
    }
}
