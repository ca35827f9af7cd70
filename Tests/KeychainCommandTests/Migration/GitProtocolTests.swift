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

    @Test(arguments: [[0xFF], [0x61, 0x2F, 0xE9], [0xC3, 0xA9]] as [[UInt8]])
    func `keeps a path whatever bytes it has, with or without a host`(path: [UInt8]) {
        let login = [Array("username=".utf8), Array("password=pw".utf8)]
        let file = [Array("protocol=cert".utf8), Array("host=".utf8), Array("path=/".utf8) + path]
        let other = [file[0], file[1], Array("path=%FF".utf8)]
        let answer = Array("password=pw\nusername=\n".utf8)
        #expect(run("store", file + login).status == 0)
        #expect(run("get", file).output == answer)
        #expect(run("get", other).output == [])
        #expect(run("get", place("https") + [file[2]]).output == [])
        let tokens = [Array("oauth_refresh_token=t".utf8)]
        #expect(run("store", place("https") + [file[2]] + login + tokens).status == 0)
        #expect(
            run("get", place("https")).output == answer + Array("oauth_refresh_token=t\n".utf8)
        )
        let netrc = TestTerminal()
        #expect(TestKeychain.run(["keychainctl", "netrc"], on: endpoint, netrc) == 0)
        #expect(!netrc.outputText.contains("h.example"))
        #expect(run("erase", file).status == 0)
        #expect(run("get", file).output == [])
    }

    @Test func `stores what is for port 0 as for the protocol's own port`() {
        let place = [Array("protocol=https".utf8), Array("host=h.example:0".utf8)]
        let login = [Array("username=ann".utf8), Array("password=pw".utf8)]
        #expect(run("store", place + login).status == 0)
        let answer = Array("password=pw\nusername=ann\n".utf8)
        #expect(run("get", place).output == answer)
        #expect(run("get", [place[0], Array("host=h.example".utf8)]).output == answer)
    }

    /// A server's header may have a realm in Latin-1.
    @Test func `reads challenges of any bytes`() {
        let challenge = [Array("wwwauth[]=Basic realm=\"Zur".utf8) + [0xFC] + Array("ck\"".utf8)]
        let login = [Array("username=ann".utf8), Array("password=pw".utf8)]
        #expect(run("store", place("https") + challenge + login).status == 0)
        let answer = Array("password=pw\nusername=ann\n".utf8)
        #expect(run("get", place("https") + challenge).output == answer)
    }
}
