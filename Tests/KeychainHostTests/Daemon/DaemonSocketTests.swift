import EngineTestSupport
import Foundation
import Glibc
import KeychainHost
import TestSupport
import Testing

@Suite struct `The socket of a daemon` {
    private let home: TestHome

    init() throws { home = try TestHome() }

    private func candidates(_ variables: [String: String]) -> [String] {
        let environment = ProcessEnvironment(executable: "/program") { variables[$0] }
        return DaemonSocket.candidates(environment).map(\.path)
    }

    @Test(.requirement("OPS-01")) func `is looked for in the order of the contract`() {
        let variables = ["KEYCHAIN_SOCKET": "/named", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(
            candidates(variables)
                == ["/named", "/run/keychain/socket", "/run/user/7/keychaind.sock"]
        )
        #expect(candidates([:]) == ["/run/keychain/socket"])
    }

    @Test func `is not looked for where the variable is empty`() {
        #expect(candidates(["KEYCHAIN_SOCKET": "", "XDG_RUNTIME_DIR": "/run/user/7"]).isEmpty)
    }

    @Test func `is the first one that exists`() throws {
        let daemon = try ListeningSocket(at: home.runtime + "/keychaind.sock")
        defer { daemon.close() }
        let environment = home.environment(["KEYCHAIN_SOCKET": "/nowhere/keychaind.sock"])
        #expect(DaemonSocket.found(environment)?.origin == .runtimeDirectory)
    }

    @Test func `is no file of another kind`() throws {
        let path = home.runtime + "/keychaind.sock"
        try #require(FileFacts.make(path))
        #expect(DaemonSocket.found(home.environment()) == nil)
    }
}
