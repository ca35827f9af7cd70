import KeychainModel
import Testing

@testable import KeychainCommand

@Suite struct `Reading a secret` {
    @Test(
        arguments: [
            ([], []), (Array("x".utf8), Array("x".utf8)), (Array("x\n".utf8), Array("x".utf8)),
            (Array("x\n\n".utf8), Array("x\n".utf8)), (Array("\n".utf8), []),
            ([0, 0x0A, 0xFF], [0, 0x0A, 0xFF]),
        ] as [([UInt8], [UInt8])]
    )
    func `takes all of a pipe but one final newline`(input: [UInt8], secret: [UInt8]) throws {
        let shared = try SecretInput(TestTerminal(input: input)).newSecret(called: "Password")
        #expect(shared.secret.copyBytesUnprotected() == secret)
    }

    @Test func `takes pipes of many chunks and refuses endless ones`() throws {
        let large = [UInt8](repeating: 7, count: 200_000)
        let shared = try SecretInput(TestTerminal(input: large)).newSecret(called: "Password")
        #expect(shared.secret.copyBytesUnprotected() == large)
        let endless = [UInt8](repeating: 7, count: SecretInput.byteCountLimit + 1)
        let refusal = CommandFailure.keychain(KeychainError(.dataTooLarge, ""))
        #expect(throws: refusal) {
            try SecretInput(TestTerminal(input: endless)).newSecret(called: "Password")
        }
    }

    @Test func `takes one line after the other of a pipe`() throws {
        let input = SecretInput(TestTerminal(input: Array("one\ntwo\n\nlast".utf8)))
        #expect(try input.line(called: "A").secret.copyBytesUnprotected() == Array("one".utf8))
        #expect(try input.newLine(called: "B").secret.copyBytesUnprotected() == Array("two".utf8))
        #expect(try input.line(called: "C").secret.byteCount == 0)
        #expect(try input.line(called: "D").secret.copyBytesUnprotected() == Array("last".utf8))
        let ended = CommandFailure.keychain(KeychainError(.param, ""))
        #expect(throws: ended) { try input.line(called: "E") }
    }

    @Test func `refuses a line without end`() {
        let long = [UInt8](repeating: 7, count: SecretInput.lineByteCountLimit + 2)
        let refusal = CommandFailure.keychain(KeychainError(.dataTooLarge, ""))
        #expect(throws: refusal) {
            try SecretInput(TestTerminal(input: long)).line(called: "Passcode")
        }
    }

    @Test func `asks a person twice for what is new and once for what is known`() throws {
        let terminal = TestTerminal(typing: ["old", "new", "new"])
        let input = SecretInput(terminal)
        #expect(try input.line(called: "Old").secret.copyBytesUnprotected() == Array("old".utf8))
        #expect(try input.newLine(called: "New").secret.copyBytesUnprotected() == Array("new".utf8))
        #expect(terminal.diagnosticsText == "Old: \nNew: \nNew, again: \n")
        let ended = CommandFailure.keychain(KeychainError(.param, ""))
        #expect(throws: ended) { try input.newSecret(called: "Password") }
    }
}
