import KeychainServices
import KeychainSimulator
import TestSupport
import Testing
import Vault
import VaultTesting

@testable import VaultExamples

/// What both examples do, whatever they throw.
private protocol AccountKeeping: Sendable {
    func signIn(_ name: String, _ session: Session, recoveryKey: String) throws
    func session(of name: String) throws -> Session?
    func recoveryKey(of name: String, because reason: String) async throws -> String?
    func names() throws -> [String]
    func signOut(_ name: String) throws
}

extension Accounts: AccountKeeping {}
extension DictionaryAccounts: AccountKeeping {}

/// The two ways to write the same program.
enum Way: String, CaseIterable, Sendable {
    case vault, dictionaries

    fileprivate var accounts: any AccountKeeping {
        switch self {
        case .vault: Accounts()
        case .dictionaries: DictionaryAccounts()
        }
    }
}

@Suite(.device()) struct `The example of accounts` {
    private let session = Session(token: "t0ken", server: 7)

    @Test(arguments: Way.allCases) func `keeps what a user needs`(way: Way) async throws {
        let accounts = way.accounts
        #expect(try accounts.session(of: "ada") == nil)
        #expect(try await accounts.recoveryKey(of: "ada", because: "Recover") == nil)
        try accounts.signIn("ada", session, recoveryKey: "r3covery")
        try accounts.signIn("bob", Session(token: "b", server: 1), recoveryKey: "b")
        #expect(try accounts.session(of: "ada") == session)
        #expect(try await accounts.recoveryKey(of: "ada", because: "Recover") == "r3covery")
        #expect(try accounts.names().sorted() == ["ada", "bob"])
        try accounts.signOut("ada")
        try accounts.signOut("ada")
        #expect(try accounts.session(of: "ada") == nil)
        #expect(try await accounts.recoveryKey(of: "ada", because: "Recover") == nil)
        #expect(try accounts.names() == ["bob"])
    }

    @Test(arguments: Way.allCases) func `tells a lock from a logout`(way: Way) throws {
        let phone = try TestDevice.current
        try way.accounts.signIn("ada", session, recoveryKey: "r3covery")
        phone.device.lock()
        #expect(try phone.inBackground { try way.accounts.session(of: "ada") } == session)
        phone.device.reboot()
        #expect(throws: (any Error).self) { try way.accounts.session(of: "ada") }
    }

    @Test(arguments: Way.allCases) func `lets a user cancel`(way: Way) async throws {
        try way.accounts.signIn("ada", session, recoveryKey: "r3covery")
        try TestDevice.current.device.user.cancels = true
        let accounts = way.accounts
        await #expect(throws: (any Error).self) {
            try await accounts.recoveryKey(of: "ada", because: "Recover")
        }
    }
}
