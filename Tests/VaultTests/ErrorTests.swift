import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing
import VaultTesting

@testable import Vault

/// A state of a device, and whether it keeps an item out of reach.
enum DeviceState: String, CaseIterable, Sendable {
    case locked, beforeFirstUnlock

    func bring(_ device: SimulatedDevice) {
        switch self {
        case .locked: device.lock()
        case .beforeFirstUnlock: device.reboot()
        }
    }
}

@Suite(.device()) struct `An item that is out of reach` {
    let vault = Vault()

    @Test(.requirement("VLT-03"), arguments: DeviceState.allCases, [nil, ownGroup])
    func `throws the status, the kind of item and the advice`(
        state: DeviceState,
        group: String?
    ) throws {
        let vault = Vault(accessGroup: group)
        let login = WebLogin(server: "example.com", account: "ada")
        try vault.save("secret", in: .pin)
        try vault.save("secret", in: login)
        state.bring(try TestDevice.current.device)
        let errors = [
            failure { _ = try vault.text(.pin) },
            failure { _ = try vault.data(.pin) },
            failure { _ = try vault.secret(.pin) },
            failure { try vault.save("new", in: .pin) },
            failure { _ = try vault.readOrCreate(.pin) { "new" } },
        ]
        #expect(errors.allSatisfy { $0?.status == errSecInteractionNotAllowed })
        #expect(errors.allSatisfy { $0?.statusName == "errSecInteractionNotAllowed" })
        #expect(errors.allSatisfy { $0?.reason == .locked && $0?.sort == .password })
        #expect(errors.allSatisfy { $0?.advice.contains("after the unlock") == true })
        let web = failure { _ = try vault.text(login) }
        #expect(web?.sort == .webLogin && web?.reason == .locked)
        #expect(web?.description.contains("secret") == false)
    }

    @Test(.requirement("VLT-03")) func `is not mistaken for one that is missing`() throws {
        try vault.save("secret", in: .pin)
        let phone = try TestDevice.current
        phone.device.lock()
        #expect(try vault.presence(of: .pin) == .outOfReach)
        #expect(try vault.presence(of: .token) == .absent)
        #expect(try vault.text(.token) == nil)
        try phone.device.unlock(passcode: "0000")
        #expect(try vault.presence(of: .pin) == .readable)
        #expect(try vault.text(.pin) == "secret")
    }

    @Test func `can be deleted`() throws {
        try vault.save("secret", in: .pin)
        try TestDevice.current.device.lock()
        #expect(try vault.delete(.pin) == .deleted)
    }

    @Test func `is in reach for background work from the first unlock on`() throws {
        let phone = try TestDevice.current
        try vault.save("t0ken", in: .token)
        phone.device.lock()
        #expect(try phone.inBackground { try vault.text(.token) } == "t0ken")
        phone.device.reboot()
        #expect(try phone.inBackground { try vault.presence(of: .token) } == .outOfReach)
    }
}

@Suite(.device()) struct `An error of a vault` {
    let vault = Vault()

    @Test func `names a missing entitlement`() throws {
        let error = try #require(
            failure { try Vault(accessGroup: "X.y").save("1", in: .token) }
        )
        #expect(error.reason == .notEntitled)
        #expect(error.status == errSecMissingEntitlement)
        #expect(error.advice.contains("keychain-access-groups"))
    }

    @Test func `tells bytes of another type without quoting them`() throws {
        try vault.save("not json: hunter2", in: .token)
        let error = try #require(
            failure { _ = try vault.read(.token, as: [Int].self) }
        )
        #expect(error.reason == .undecodable)
        #expect(error.advice.contains("Array<Int>"))
        #expect(!"\(error)".contains("hunter2"))
    }

    @Test func `tells a value that JSON cannot hold`() throws {
        let error = failure { try vault.save(Double.nan, in: .token) }
        #expect(error?.reason == .invalid)
        #expect(try vault.presence(of: .token) == .absent)
    }

    @Test(arguments: VaultError.knownStatuses.map(\.status))
    func `has a name and an advice for each status`(status: OSStatus) {
        let error = VaultError(status, .read, .password, nil)
        #expect(error.statusName.hasPrefix("errSec"))
        #expect(error.advice.hasSuffix(".") || error.advice.hasSuffix(")."))
        #expect(error.description.contains("(\(status))"))
    }

    @Test func `keeps the number of a status that it does not know`() {
        let error = VaultError(-67_000, .read, .key, "tag")
        #expect(error.statusName == "OSStatus" && error.reason == .other)
        #expect(error.description == "read tag: OSStatus (-67000): Report the status.")
    }
}

@Suite struct `An item on another device` {
    @Test(.device()) func `is there after a restore only if it may travel`() throws {
        let travelling = Password(service: "api", account: "t", protection: .afterFirstUnlock)
        try Vault().save("t0ken", in: travelling)
        try Vault().save("t0ken", in: .token)
        let new = try TestDevice.current.restoredOnAnotherDevice()
        #expect(try new.app.run { try Vault().text(travelling) } == "t0ken")
        #expect(try new.app.run { try Vault().text(.token) } == nil)
    }

    @Test(.device(passcode: nil)) func `needs a passcode if it says so`() throws {
        let item = Password(
            service: "api",
            account: "pin",
            protection: .whenPasscodeSetThisDeviceOnly
        )
        let error = failure { try Vault().save("1", in: item) }
        #expect(error != nil)
        #expect(try Vault().presence(of: item) == .absent)
        try Vault().save("1", in: .pin)
        try TestDevice.current.device.lock()
        #expect(try Vault().text(.pin) == "1")
    }

    @Test(.device()) func `goes with the passcode that it needs`() throws {
        let item = Password(
            service: "api",
            account: "pin",
            protection: .whenPasscodeSetThisDeviceOnly
        )
        try Vault().save("1", in: item)
        try TestDevice.current.device.removePasscode(current: "0000")
        #expect(try Vault().text(item) == nil)
    }
}
