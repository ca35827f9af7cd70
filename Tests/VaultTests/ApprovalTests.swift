import Foundation
import KeychainServices
import KeychainSimulator
import Synchronization
import TestSupport
import Testing
import Vault
import VaultTesting

@Suite(.device()) struct `An item that needs approval` {
    let vault = Vault()

    @Test func `is never asked for by a function that does not wait`() throws {
        try vault.save("key", in: .diary)
        let error = try #require(failure { _ = try vault.text(.diary) })
        #expect(error.reason == .approvalNeeded)
        #expect(error.status == errSecInteractionNotAllowed)
        #expect(error.advice.contains("approval"))
        #expect(try vault.presence(of: .diary) == .outOfReach)
    }

    @Test func `is read after the prompt`() async throws {
        try vault.save("key", in: .diary)
        let approval = Approval(reason: "Open the diary")
        #expect(try await vault.read(.diary, as: String.self, approval: approval) == "key")
        #expect(try await vault.data(.diary, approval: approval) == Data("key".utf8))
    }

    @Test func `is read again without a prompt until the approval ends`() async throws {
        let phone = try TestDevice.current
        try vault.save("key", in: .diary)
        let approval = Approval(reason: "Open the diary")
        #expect(try await vault.read(.diary, as: String.self, approval: approval) == "key")
        phone.device.user.cancels = true
        #expect(try await vault.read(.diary, as: String.self, approval: approval) == "key")
        approval.end()
        let error = await failure {
            _ = try await vault.data(.diary, approval: approval)
        }
        #expect(error != nil)
    }

    @Test func `reports a user who cancels`() async throws {
        try vault.save("key", in: .diary)
        try TestDevice.current.device.user.cancels = true
        let error = await failure {
            _ = try await vault.data(.diary, approval: Approval(reason: "Open the diary"))
        }
        #expect(error?.reason == .canceled)
    }

    @Test func `reports a face of someone else`() async throws {
        let item = Password(
            service: "d",
            account: "k",
            protection: .requiring(.biometry(.any))
        )
        try vault.save("key", in: item)
        let phone = try TestDevice.current
        phone.device.user = SimulatedUser(biometric: "stranger", passcode: nil)
        let error = await failure {
            _ = try await vault.data(item, approval: Approval(reason: "Open the diary"))
        }
        #expect([.notApproved, .canceled].contains(error?.reason))
    }

    @Test func `is missing, and not out of reach, if it was never saved`() async throws {
        let approval = Approval(reason: "Open the diary")
        #expect(try await vault.data(.diary, approval: approval) == nil)
    }

    static let constraints: [Constraint] = [
        .userPresence, .devicePasscode, .biometry(.any), .biometry(.currentSet),
        .biometryOrPasscode(.any), .biometryOrPasscode(.currentSet), .biometryAndPasscode(.any),
        .biometryAndPasscode(.currentSet),
    ]

    @Test(arguments: constraints)
    func `opens for its owner, whatever it requires`(constraint: Constraint) async throws {
        let item = Password(service: "d", account: "k", protection: .requiring(constraint))
        try vault.save("key", in: item)
        #expect(try vault.presence(of: item) == .outOfReach)
        let approval = Approval(reason: "Open the diary")
        #expect(try await vault.read(item, as: String.self, approval: approval) == "key")
    }

    @Test func `prompts for no task that was canceled`() async throws {
        let phone = try TestDevice.current
        try vault.save("key", in: .diary)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            let approval = Approval(reason: "Open the diary")
            return await failure { try await vault.save("new", in: .diary, approval: approval) }
        }
        #expect(await task.value?.reason == .canceled)
        #expect(phone.device.prompts.isEmpty)
    }

    @Test func `is replaced only after the prompt`() async throws {
        try vault.save("old", in: .diary)
        let error = failure { try vault.save("new", in: .diary) }
        #expect(error?.reason == .approvalNeeded)
        let approval = Approval(reason: "Change the key")
        try await vault.save("new", in: .diary, approval: approval)
        #expect(try await vault.read(.diary, as: String.self, approval: approval) == "new")
    }

    @Test func `is deleted and listed without a prompt`() throws {
        try vault.save("key", in: .diary)
        try vault.save("t0ken", in: .token)
        #expect(try vault.list(.passwords()).map(\.item.account) == ["token"])
        #expect(try vault.delete(.diary) == .deleted)
    }
}

@Suite(.device()) struct `A vault in Swift 6 mode` {
    struct Session: Codable, Hashable {
        let id: Int
        let scopes: [String]
    }

    /// Compiles for types that may cross into another task.
    private func crosses<Value: Sendable & ~Copyable>(_ type: Value.Type) -> Bool { true }

    @Test(.requirement("VLT-04")) func `has no type that stays in one task`() {
        let known = [
            crosses(Vault.self),
            crosses(VaultError.self),
            crosses(VaultChange.self),
            crosses(Password.self),
            crosses(WebLogin.self),
            crosses(Key.self),
            crosses(PrivateKey.self),
            crosses(PublicKey.self),
            crosses(Certificate.self),
            crosses(Identity.self),
            crosses(ItemName.self),
            crosses(Protection.self),
            crosses(Query<Password>.self),
            crosses(Found<Password>.self),
            crosses(ListedAttributes.self),
            crosses(Secret.self),
            crosses(Approval.self),
            crosses(Transaction.self),
            crosses(Rotation<Password>.self),
            crosses(Stored<String, Password>.self),
            crosses(Reading<String>.self),
            crosses(LiveItem<String, Password>.self),
        ]
        #expect(!known.contains(false))
    }

    @Test(.requirement("VLT-04"))
    func `stores a Codable value, awaits a prompt, and reports the change`() async throws {
        // Everything here crosses into another task, so everything here is Sendable.
        let vault = Vault()
        let changes = vault.changes
        let session = Session(id: 7, scopes: ["read"])
        let read = Task {
            try vault.save(session, in: .diary)
            let approval = Approval(reason: "Open the diary")
            return try await vault.read(.diary, as: Session.self, approval: approval)
        }
        #expect(try await read.value == session)
        var iterator = changes.makeAsyncIterator()
        let change = await iterator.next()
        #expect(change?.event == .saved && change?.item == Password.diaryName)
    }
}

extension Password {
    static var diaryName: ItemName {
        Password(service: "diary", account: "key", protection: .requiring(.userPresence)).address
    }
}
