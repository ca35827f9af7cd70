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

@Suite(.requirement("DMN-04")) struct `The socket of a protected program` {
    private let home: TestHome
    private let system: ListeningSocket

    init() throws {
        home = try TestHome()
        system = try ListeningSocket(at: home.runtime + "/system.sock")
    }

    private func found(_ variables: [String: String], system: String? = nil) -> DaemonSocket? {
        let environment = ProcessEnvironment(executable: "/program", isProtected: true) {
            variables[$0]
        }
        return DaemonSocket.found(environment, system: system ?? home.runtime + "/system.sock")
    }

    @Test(arguments: [
        [:], ["KEYCHAIN_SOCKET": ""], ["XDG_RUNTIME_DIR": "/tmp"],
        ["KEYCHAIN_SOCKET": "/nowhere"],
    ]) func `is the machine's, whatever its variables say`(_ variables: [String: String]) {
        #expect(found(variables)?.origin == .system)
    }

    @Test func `may be another one of the machine's accounts`() throws {
        let other = try ListeningSocket(at: home.runtime + "/other.sock")
        defer { other.close() }
        let socket = found(["KEYCHAIN_SOCKET": home.runtime + "/other.sock"])
        #expect(socket?.origin == .variable)
        #expect(socket?.server == .machine)
    }

    @Test func `is whatever is named where the machine has no daemon`() {
        let path = home.runtime + "/system.sock"
        let socket = found(["KEYCHAIN_SOCKET": path], system: "/nowhere")
        #expect(socket?.server == .any)
        #expect(found(["KEYCHAIN_SOCKET": ""], system: "/nowhere") == nil)
    }

    @Test func `is never that of a simulated device`() throws {
        let environment = ProcessEnvironment(executable: "/program", isProtected: true) { _ in
            "phone"
        }
        #expect(try SimulationSocket.named(in: environment) == nil)
    }

    @Test(arguments: [
        (label: "no daemon", ["KEYCHAIN_SOCKET": ""], true),
        (label: "a simulated device", ["KEYCHAIN_SIM": "phone"], true),
        (label: "a named daemon", ["KEYCHAIN_SOCKET": "SYSTEM"], false),
        (label: "nothing", [:], false),
        (label: "a directory", ["KEYCHAIN_HOME": "/tmp"], false),
    ]) func `is given up by the command for a person who wants`(
        label: String,
        variables: [String: String],
        isGivenUp: Bool
    ) {
        let path = home.runtime + "/system.sock"
        var isDropped = false
        ProtectedCommand.yieldToChoice(
            variable: { variables[$0].map { $0 == "SYSTEM" ? path : $0 } },
            system: path,
            drop: {
                isDropped = true
                return true
            }
        )
        #expect(isDropped == isGivenUp)
    }

    @Test func `is not waited for by the command on a machine without a daemon`() {
        var isDropped = false
        ProtectedCommand.yieldToChoice(variable: { _ in nil }, system: "/nowhere") {
            isDropped = true
            return true
        }
        #expect(isDropped)
    }
}
