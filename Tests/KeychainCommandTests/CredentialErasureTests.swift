import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

/// A keychain in which several tools have passwords of one host.
private struct SharedHost {
    let endpoint: any Endpoint

    init() throws { endpoint = try TestKeychain.endpoint() }

    @discardableResult
    func run(_ words: String, _ input: String = "") -> (status: Int32, output: String) {
        let terminal = TestTerminal(input: Array(input.utf8))
        let words = ["keychainctl"] + words.split(separator: " ").map(String.init)
        let status = TestKeychain.run(words, on: endpoint, terminal)
        return (status, terminal.outputText)
    }

    func git(_ operation: String, _ lines: String...) -> String {
        let place = ["protocol=https", "host=h.example"]
        return run("git-credential \(operation)", (place + lines + [""]).joined(separator: "\n"))
            .output
    }

    /// The internet password of a user; nil for none.
    func password(of user: String, _ path: String = "") -> String? {
        let words = "find-internet-password -s h.example -a \(user)"
        let found = run(words + (path.isEmpty ? "" : " -p \(path)") + " -w")
        return found.status == 0 ? String(found.output.dropLast()) : nil
    }
}

@Suite struct `What git rejects` {
    private let host: SharedHost

    init() throws {
        host = try SharedHost()
        host.run("add-internet-password -s h.example -a npm -r htps -p /registry", "token")
        let login = #"{"ServerURL":"h.example","Username":"deploy","Secret":"docker"}"#
        #expect(host.run("docker-credential store", login).status == 0)
        _ = host.git("store", "username=ann", "password=one")
    }

    @Test(.requirement("AFL-07"))
    func `is only what git stored, where it names a host alone`() {
        #expect(host.git("get", "username=ann") == "password=one\nusername=ann\n")
        _ = host.git("erase")
        #expect(host.password(of: "ann") == nil)
        #expect(host.password(of: "npm", "/registry") == "token")
        #expect(host.password(of: "deploy") == "docker")
    }

    @Test(.requirement("AFL-07"))
    func `is every login that git stored for the host, whatever its path`() {
        _ = host.git("store", "username=bob", "password=two", "path=team/a.git")
        _ = host.git("store", "username=cleo", "password=three")
        _ = host.git("erase")
        #expect(["ann", "bob", "cleo"].allSatisfy { host.password(of: $0) == nil })
        #expect(host.password(of: "npm", "/registry") == "token")
    }

    @Test(.requirement("AFL-07"))
    func `is no password of another tool that happens to be the same`() {
        for password in ["other", "token"] {
            _ = host.git("store", "username=npm", "password=\(password)")
        }
        _ = host.git("erase", "username=npm", "password=token")
        #expect(host.git("get", "username=npm") == "password=token\nusername=npm\n")
        #expect(host.password(of: "npm", "/registry") == "token")
    }

    @Test(.requirement("AFL-07"))
    func `is the login that git was given, whoever stored it`() {
        #expect(host.git("get", "username=deploy") == "password=docker\nusername=deploy\n")
        _ = host.git("erase", "username=deploy", "password=other")
        #expect(host.password(of: "deploy") == "docker")
        _ = host.git("erase", "username=deploy", "password=docker")
        #expect(host.password(of: "deploy") == nil)
        #expect(host.password(of: "ann") == "one")
    }
}

@Suite struct `Logging out of docker` {
    @Test func `leaves the logins of other tools at the same host`() throws {
        let host = try SharedHost()
        _ = host.git("store", "username=ann", "password=one")
        #expect(host.run("docker-credential erase", "h.example").status == 0)
        #expect(host.password(of: "ann") == "one")
        let login = #"{"ServerURL":"h.example","Username":"deploy","Secret":"docker"}"#
        #expect(host.run("docker-credential store", login).status == 0)
        #expect(host.run("docker-credential erase", "h.example").status == 0)
        #expect(host.password(of: "deploy") == nil)
        #expect(host.password(of: "ann") == "one")
    }
}

@Suite struct `Listing docker's logins` {
    @Test(.requirement("USE-06"))
    func `fails as the other verbs do while the keychain is locked`() throws {
        let host = try SharedHost()
        let login = #"{"ServerURL":"h.example","Username":"deploy","Secret":"docker"}"#
        #expect(host.run("docker-credential store", login).status == 0)
        #expect(host.run("passcode set", "1234").status == 0)
        #expect(host.run("lock-keychain").status == 0)
        let list = host.run("docker-credential list")
        let get = host.run("docker-credential get", "h.example")
        #expect(list.status == 1)
        #expect(get.status == 1)
        #expect(list.output.hasPrefix("errSecInteractionNotAllowed (-25308): "), "\(list.output)")
        #expect(get.output.hasPrefix("errSecInteractionNotAllowed (-25308): "), "\(get.output)")
    }
}
