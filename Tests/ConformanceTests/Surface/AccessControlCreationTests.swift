import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Creating an access control` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let flags: SecAccessControlCreateFlags

        init(_ description: String, _ flags: SecAccessControlCreateFlags) {
            self.testDescription = description
            self.flags = flags
        }
    }

    @Test(
        .requirement("SAC-18", "SAC-22", "SAC-23", "SAC-16"),
        arguments: [
            Row("no flags", []),
            Row("one constraint", .biometryAny),
            Row("two constraints with or", [.biometryCurrentSet, .or, .devicePasscode]),
            Row("two constraints with and", [.biometryAny, .and, .devicePasscode]),
            Row(
                "one constraint and an operator",
                [.biometryCurrentSet, .and, .applicationPassword]
            ),
            Row("user presence and a password", [.userPresence, .applicationPassword]),
            Row("user presence for a key", [.userPresence, .privateKeyUsage]),
            Row(
                "both layers",
                [.biometryAny, .or, .devicePasscode, .applicationPassword]
            ),
            Row("biometry and a password", [.biometryAny, .applicationPassword]),
        ]
    )
    func `succeeds for a sound combination`(row: Row) {
        #expect(create(kSecAttrAccessibleWhenUnlocked, row.flags).status == nil)
    }

    @Test(
        .requirement("SAC-17", "SAC-19", "SAC-20", "SAC-21"),
        arguments: [
            Row("two constraints without an operator", [.biometryCurrentSet, .devicePasscode]),
            Row("any biometry and a watch", [.biometryAny, .watch]),
            Row("both operators", [.biometryAny, .or, .and, .devicePasscode]),
            Row("both operators alone", [.or, .and]),
            Row("both kinds of biometry", [.biometryAny, .or, .biometryCurrentSet]),
            Row("user presence and a constraint", [.userPresence, .or, .devicePasscode]),
            Row("user presence and an operator", [.userPresence, .and]),
            Row("a bit without a meaning", SecAccessControlCreateFlags(rawValue: 1 << 2)),
        ]
    )
    func `is refused with errSecParam for a contradictory combination`(row: Row) throws {
        // By the profile of a device; this machine's own, which counts before any device was made,
        // follows Apple's source.
        try onNewDevice { _ in
            let outcome = create(kSecAttrAccessibleWhenUnlocked, row.flags)
            #expect(outcome.control == nil)
            #expect(outcome.status == -50)
        }
    }

    @Test(
        .requirement("SAC-02"),
        arguments: [
            String.whenPasscodeSetThisDeviceOnly, .whenUnlockedThisDeviceOnly, .whenUnlocked,
            .afterFirstUnlockThisDeviceOnly, .afterFirstUnlock, .alwaysThisDeviceOnly, .always,
        ]
    )
    func `takes each accessibility`(protection: String) {
        #expect(create(protection as CFString, .userPresence).status == nil)
    }

    @Test(
        .requirement("SAC-02"),
        arguments: ["bogus", "", "AK", "ak ", "f", String.genericPassword]
    )
    func `refuses any other protection`(protection: String) {
        #expect(create(protection as CFString, .userPresence).status == -50)
    }

    @Test(.requirement("SAC-02")) func `refuses a protection that is no string`() {
        #expect(create(NSNumber(value: 6), []).status == -50)
        #expect(create(NSNull(), []).status == -50)
    }

    @Test(.requirement("API-02")) func `has Apple's shape and needs no allocator`() {
        let function:
            (
                CFAllocator?, CFTypeRef, SecAccessControlCreateFlags,
                UnsafeMutablePointer<Unmanaged<CFError>?>?
            ) -> SecAccessControl? = SecAccessControlCreateWithFlags
        #expect(function(nil, kSecAttrAccessibleWhenUnlocked, [], nil) != nil)
        #expect(function(kCFAllocatorDefault, kSecAttrAccessibleWhenUnlocked, [], nil) != nil)
        #expect(function(nil, NSNull(), [], nil) == nil)
    }

    @Test(.requirement("API-09")) func `reports an error that survives the way through Swift`() {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(nil, NSNull(), [], &error)
        #expect(control == nil)
        guard let failure = error?.takeRetainedValue() else {
            Issue.record("no error came back")
            return
        }
        #expect(CFErrorGetCode(failure) == -50)
        #expect(CFErrorGetDomain(failure) as String == NSOSStatusErrorDomain)
        let swift = failure as Error
        #expect((swift as NSError).code == -50)
        #expect((swift as NSError).domain == NSOSStatusErrorDomain)
        #expect(CFErrorCopyDescription(failure).length > 0)
        #expect(CFDictionaryGetCount(CFErrorCopyUserInfo(failure)) > 0)
    }

    private func create(
        _ protection: CFTypeRef,
        _ flags: SecAccessControlCreateFlags
    ) -> (control: SecAccessControl?, status: Int?) {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(nil, protection, flags, &error)
        return (control, error.map { CFErrorGetCode($0.takeRetainedValue()) })
    }
}

@Suite struct `An access control` {
    @Test func `equals another with the same protection and flags`() {
        let first = make(kSecAttrAccessibleWhenUnlocked, .userPresence)
        let second = make(kSecAttrAccessibleWhenUnlocked, .userPresence)
        #expect(first == second && first !== second)
        #expect(CFEqual(first, second) && CFHash(first) == CFHash(second))
        #expect(first != make(kSecAttrAccessibleWhenUnlocked, .devicePasscode))
        #expect(first != make(kSecAttrAccessibleAfterFirstUnlock, .userPresence))
        #expect(AnyHashable(first) == AnyHashable(second))
    }

    @Test(.requirement("API-03")) func `has a type id of its own`() {
        let control = make(kSecAttrAccessibleWhenUnlocked, [])
        #expect(CFGetTypeID(control) == SecAccessControlGetTypeID())
        #expect(SecAccessControlGetTypeID() == SecAccessControlGetTypeID())
        #expect(!CFTypeTests.typeIDs.contains(SecAccessControlGetTypeID()))
    }

    @Test func `keeps its identity inside a dictionary`() throws {
        let control = make(kSecAttrAccessibleWhenUnlocked, [])
        let query: [String: Any] = [kSecAttrAccessControl as String: control as Any]
        let value = (query as CFDictionary).object(forKey: kSecAttrAccessControl)
        #expect(value as AnyObject === control)
    }

    private func make(
        _ protection: CFString,
        _ flags: SecAccessControlCreateFlags
    ) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, nil)
    }
}
