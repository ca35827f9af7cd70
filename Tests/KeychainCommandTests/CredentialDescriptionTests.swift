import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `Reading a description of a credential` {
    @Test(arguments: ["host=a\0b\n", "password=a\0\n", "no equals sign\n", "host=a b:c:d\n"])
    func `refuses a line that makes no sense`(text: String) {
        #expect(throws: KeychainError(.param, "")) {
            _ = try CredentialDescription(Secret(copying: text.utf8))
        }
    }

    @Test func `takes any bytes of a password but a newline and NUL`() throws {
        let bytes = Array("password=".utf8) + [0xFF, 0x01, 0x3D, 0x0A]
        let description = try CredentialDescription(Secret(copying: bytes))
        #expect(description.password?.secret.copyBytesUnprotected() == [0xFF, 0x01, 0x3D])
    }

    @Test func `ends with an error where the description does not end`() {
        let line = Array("host=example.org\n".utf8)
        let count = DescriptionInput.byteCountLimit / line.count + 1
        let endless = TestTerminal(input: Array(repeatElement(line, count: count).joined()))
        #expect(throws: KeychainError(.dataTooLarge, "")) {
            _ = try DescriptionInput.read(endless)
        }
    }
}
