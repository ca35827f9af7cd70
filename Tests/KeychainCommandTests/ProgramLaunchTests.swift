import Testing

@testable import KeychainCommand

@Suite struct `A command with a program of its own` {
    @Test func `is that program with the same arguments`() throws {
        var launched: [ProgramLaunch] = []
        let words = ["keychainctl", "migrate", "--dry-run", "-s", "mail", "a file", "--json"]
        let status = TestKeychain.run(words, on: try TestKeychain.endpoint()) {
            launched.append($0)
        }
        #expect(status == 0)
        #expect(launched.first?.program.hasSuffix("keychain-migrate") == true)
        #expect(launched.first?.arguments == ["--dry-run", "-s", "mail", "a file", "--json"])
        #expect(launched.first?.variables.isEmpty == true)
    }

    @Test(arguments: [["migrate", "--help"], ["help", "migrate"]])
    func `is explained without the program`(words: [String]) throws {
        let terminal = TestTerminal()
        let status = TestKeychain.run(
            ["keychainctl"] + words,
            on: try TestKeychain.endpoint(),
            terminal
        ) { launch in Issue.record("launched \(launch.program)") }
        #expect(status == 0)
        #expect(terminal.outputText.contains("usage: keychainctl migrate [options]"))
    }

    @Test func `is refused without the program when used wrongly`() throws {
        let words = ["keychainctl", "migrate", "--dry"]
        let status = TestKeychain.run(words, on: try TestKeychain.endpoint()) { launch in
            Issue.record("launched \(launch.program)")
        }
        #expect(status == 2)
    }

    @Test func `says where the program belongs when it is missing`() throws {
        let launch = ProgramLaunch(companion: "keychain-no-such-program", arguments: [])
        let failure = #expect(throws: CommandFailure.self) { try launch.execute() }
        #expect(failure?.exitStatus == 127)
        #expect(failure?.message.contains("install it beside keychain") == true)
    }

    @Test func `says why a file that is no program cannot be run`() throws {
        let launch = ProgramLaunch(program: "/dev/null", arguments: [], variables: [])
        let failure = #expect(throws: CommandFailure.self) { try launch.execute() }
        #expect(failure?.exitStatus == 126)
    }
}

@Suite struct `A command with secrets in its environment` {
    @Test func `gets each password of the service under its account's name`() throws {
        let endpoint = try TestKeychain.endpoint()
        for (service, account) in [("shop", "B"), ("shop", "A_1"), ("other", "C")] {
            let words = ["keychainctl", "add-generic-password", "-s", service, "-a", account]
            let input = Array("secret of \(account)\n".utf8)
            #expect(TestKeychain.run(words, on: endpoint, TestTerminal(input: input)) == 0)
        }
        var launched: [ProgramLaunch] = []
        let words = ["keychainctl", "env", "shop", "--", "make", "-j", "2"]
        #expect(TestKeychain.run(words, on: endpoint) { launched.append($0) } == 0)
        let launch = try #require(launched.first)
        #expect(launch.program == "make")
        #expect(launch.arguments == ["-j", "2"])
        let values = launch.variables.map { variable in
            let bytes = variable.value.secret.copyBytesUnprotected()
            return "\(variable.name)=\(String(decoding: bytes, as: UTF8.self))"
        }
        #expect(values == ["B=secret of B", "A_1=secret of A_1"])
    }
}
