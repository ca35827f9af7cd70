import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `Reading a description of a credential` {
    @Test(arguments: [
        "host=a\0b\n", "password=a\0\n", "no equals sign\n", "host=a b:c:d\n",
        "password=a\rhost=b\n", "oauth_refresh_token=a\rb\n", "username=a\rb\n", "host=a\rb\n",
        "credential=\r\r\n", "x\ry=1\n", "url=https://a:b%0Ac@d/\n", "url=https://a:b%0Dc@d/\n",
    ])
    func `refuses a line that makes no sense`(text: String) {
        #expect(throws: KeychainError(.param, "")) {
            _ = try CredentialDescription(Secret(copying: text.utf8))
        }
    }

    @Test func `takes any bytes of a password but line breaks and NUL`() throws {
        let bytes = Array("password=".utf8) + [0xFF, 0x01, 0x3D, 0x0A]
        let description = try CredentialDescription(Secret(copying: bytes))
        #expect(description.password?.secret.copyBytesUnprotected() == [0xFF, 0x01, 0x3D])
    }

    @Test func `takes a carriage return in front of a newline for a part of the line's end`() throws
    {
        let text = "protocol=https\r\nhost=example.org\r\npassword=x\r\n"
        let description = try CredentialDescription(Secret(copying: text.utf8))
        #expect(description.host == "example.org")
        #expect(description.password?.secret.copyBytesUnprotected() == Array("x".utf8))
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
