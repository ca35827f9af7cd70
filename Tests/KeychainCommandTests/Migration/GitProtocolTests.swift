import KeychainMessages
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `The helper of git` {
    private let endpoint: any Endpoint

    init() throws { endpoint = try TestKeychain.endpoint() }

    private func run(_ operation: String, _ lines: [[UInt8]]) -> (status: Int32, output: [UInt8]) {
        let input = lines.flatMap { $0 + Array("\n".utf8) } + Array("\n".utf8)
        let terminal = TestTerminal(input: input)
        let words = ["keychainctl", "git-credential", operation]
        return (TestKeychain.run(words, on: endpoint, terminal), terminal.output)
    }

    private func place(_ scheme: String) -> [[UInt8]] {
        [Array("protocol=\(scheme)".utf8), Array("host=h.example:99".utf8)]
    }

    @Test(
        .requirement("AFL-07"),
        arguments: ["smtps", "socks5", "sftp", "SVN+ssh", "xy", "htps", "80", "https", "ftp"]
    )
    func `stores any protocol, and gives it back for that one alone`(scheme: String) {
        let login = [Array("username=ann".utf8), Array("password=pw".utf8)]
        #expect(run("store", place(scheme) + login).status == 0)
        #expect(run("get", place(scheme)).output == Array("password=pw\nusername=ann\n".utf8))
        #expect(run("get", place("http")).output == [])
        #expect(run("get", place("imaps")).output == [])
        #expect(run("erase", place(scheme)).status == 0)
        #expect(run("get", place(scheme)).output == [])
    }

    @Test(arguments: [[0xFF], [0x61, 0xE9, 0x62], [0xC3, 0xA9], [0x20]] as [[UInt8]])
    func `keeps a user's name whatever bytes it has`(name: [UInt8]) {
        let user = [Array("username=".utf8) + name]
        let other = [Array("username=ab".utf8), Array("password=other".utf8)]
        #expect(run("store", place("https") + other).status == 0)
        #expect(run("store", place("https") + user + [Array("password=pw".utf8)]).status == 0)
        let answer = Array("password=pw\nusername=".utf8) + name + Array("\n".utf8)
        #expect(run("get", place("https") + user).output == answer)
        #expect(run("get", place("https")).output == answer)
        let netrc = TestTerminal()
        #expect(TestKeychain.run(["keychainctl", "netrc"], on: endpoint, netrc) == 0)
        #expect(run("erase", place("https") + user).status == 0)
        #expect(run("get", place("https") + user).output == [])
        #expect(run("get", place("https")).output == Array("password=other\nusername=ab\n".utf8))
    }
}
