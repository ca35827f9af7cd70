import KeychainHost
import KeychainModel
import TestSupport
import Testing

@Suite struct `The place of a keychain` {
    private func environment(_ variables: [String: String]) -> ProcessEnvironment {
        ProcessEnvironment(executable: "/program") { variables[$0] }
    }

    private func directory(_ variables: [String: String]) throws -> String {
        try KeychainHome(environment(variables)).directory
    }

    private static let all = ["KEYCHAIN_HOME": "/k", "XDG_DATA_HOME": "/d", "HOME": "/h"]

    @Test(arguments: [
        (["KEYCHAIN_HOME", "XDG_DATA_HOME", "HOME"], "/k"),
        (["KEYCHAIN_HOME"], "/k"),
        (["XDG_DATA_HOME", "HOME"], "/d/keychain"),
        (["HOME"], "/h/.local/share/keychain"),
    ])
    func `is named by the first variable that is set`(names: [String], path: String) throws {
        let set = Self.all.filter { names.contains($0.key) }
        #expect(try directory(set) == path)
        let empty = Self.all.mapValues { _ in "" }.merging(set) { $1 }
        #expect(try directory(empty) == path)
    }

    @Test(arguments: ["XDG_DATA_HOME", "HOME"])
    func `is no relative path of a variable that is not ours`(variable: String) {
        #expect {
            try KeychainHome(environment([variable: "relative"]))
        } throws: { error in
            (error as? KeychainError)?.status == .param && "\(error)".contains("'relative'")
        }
    }

    @Test(
        arguments: [all] + all.keys.sorted().map { [$0: "/n"] },
        ["KEYCHAIN_HOME", "XDG_DATA_HOME", "HOME"]
    )
    func `is the same until its variable, or one before it, changes`(
        variables: [String: String],
        changed: String
    ) throws {
        let home = try KeychainHome(environment(variables))
        #expect(home.isNamed(by: environment(variables)))
        let others = environment(variables.merging([changed: "/other"]) { $1 })
        let stays = try KeychainHome(others) == home
        #expect(home.isNamed(by: others) == stays)
        #expect(!home.isNamed(by: environment([:])))
    }

    @Test func `is another when it is named in another way`() throws {
        #expect(try KeychainHome(.current).isNamed(by: .current))
        #expect(!KeychainHome(directory: "/k").isNamed(by: environment(Self.all)))
    }

    @Test(.requirement("USE-05"), arguments: [[:], ["HOME": ""]])
    func `is in the account's home directory when none is set`(
        variables: [String: String]
    ) throws {
        let account = ProcessEnvironment(executable: "/p", accountHome: { "/a" }) { variables[$0] }
        let home = try KeychainHome(account)
        #expect(home.directory == "/a/.local/share/keychain")
        #expect(home.isNamed(by: account))
        #expect(!home.isNamed(by: environment(["HOME": "/h"])))
        #expect(!home.isNamed(by: environment(["KEYCHAIN_HOME": "/k"])))
    }

    @Test func `is unknown when none is set and the account has no home`() {
        #expect(throws: KeychainError(.notAvailable, "")) { try directory([:]) }
    }
}

@Suite struct `The environment of another program` {
    private static let variables = [
        "KEYCHAIN_SOCKET": "", "HOME": "/accounts/ann", "SHELL": "/bin/sh",
    ]

    private let own = ProcessEnvironment(
        executable: "/usr/bin/keychain-migrate",
        userID: 7,
        accountHome: { "/accounts/seven" },
        variable: { Self.variables[$0] }
    )

    @Test func `is the same in all but its executable`() {
        let other = own.running("/usr/bin/keychainctl")
        #expect(other.executableName == "keychainctl")
        #expect(other.userID == 7)
        #expect(other.accountHome == "/accounts/seven")
        #expect(other["SHELL"] == "/bin/sh")
    }

    @Test(.requirement("OPS-01")) func `asks for no daemon if this one's does`() {
        #expect(DaemonSocket.isForbidden(own.running("/usr/bin/keychainctl")))
        #expect(DaemonSocket.candidates(own.running("/usr/bin/keychainctl")).isEmpty)
        #expect(DaemonSocket.isForbidden(own.replacing(["HOME": nil])))
    }

    @Test func `keeps its rights`() {
        let environment = ProcessEnvironment(executable: "/program", isProtected: true) { _ in nil }
        #expect(environment.running("/other").isProtected)
        #expect(environment.replacing(["HOME": "/"]).isProtected)
    }

    @Test func `may have other variables`() throws {
        let other = own.replacing(["SHELL": nil, "KEYCHAIN_SOCKET": "/socket"])
        #expect(other["SHELL"] == nil)
        #expect(other["HOME"] == "/accounts/ann")
        #expect(other["KEYCHAIN_SOCKET"] == "/socket")
        #expect(try KeychainHome(own).isNamed(by: other))
        #expect(try !KeychainHome(own).isNamed(by: own.replacing(["HOME": "/else"])))
    }
}
