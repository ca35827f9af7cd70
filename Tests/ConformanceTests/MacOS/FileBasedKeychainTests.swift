import KeychainSimulator
import LocalAuthentication
import ModelTestSupport
import TestSupport
import Testing

/// An app on a Mac that has both keychains, and the calls that tell them apart.
private struct Mac {
    let device: SimulatedDevice
    let app: SimulatedApp

    init(
        system: SystemProfile = .macOS(26),
        limit: BehaviorProfile.FileBasedMatchLimit = .one
    ) throws {
        var behavior = BehaviorProfile.documented
        behavior.macOSKeychains = .both
        behavior.fileBasedMatchLimit = limit
        device = try SimulatedDevice(system: system, behavior: behavior)
        app = device.install(.init(bundleIdentifier: "com.example.mac"))
    }

    static func query(_ account: String?, flag: Bool?, _ more: [String: Any]) -> CFDictionary {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "mac",
        ]
        query[kSecAttrAccount as String] = account
        query[kSecUseDataProtectionKeychain as String] = flag
        return query.merging(more) { $1 } as CFDictionary
    }

    func add(
        _ account: String = "alice",
        flag: Bool? = nil,
        _ more: [String: Any] = [:]
    ) -> OSStatus {
        let value: [String: Any] = [kSecValueData as String: Data("secret".utf8)]
        return app.run {
            SecItemAdd(Self.query(account, flag: flag, value.merging(more) { $1 }), nil)
        }
    }

    func find(
        _ account: String? = "alice",
        flag: Bool? = nil,
        _ more: [String: Any] = [:],
        in other: SimulatedApp? = nil
    ) -> (status: OSStatus, result: CFTypeRef?) {
        var result: CFTypeRef?
        let status = (other ?? app).run {
            SecItemCopyMatching(Self.query(account, flag: flag, more), &result)
        }
        return (status, result)
    }

    func delete(_ account: String? = nil, flag: Bool? = nil) -> OSStatus {
        app.run { SecItemDelete(Self.query(account, flag: flag, [:])) }
    }

    func count(flag: Bool?) -> Int {
        let all: [String: Any] = [
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
        ]
        return (find(nil, flag: flag, all).result as? [Any])?.count ?? 0
    }
}

@Suite struct `A Mac's two keychains` {
    @Test(.requirement("MAC-02")) func `are two: without the flag it is the file-based one`() throws
    {
        let mac = try Mac()
        #expect(mac.add() == errSecSuccess)
        #expect(mac.find().status == errSecSuccess)
        #expect(mac.find(flag: false).status == errSecSuccess)
        #expect(mac.find(flag: true).status == errSecItemNotFound)
        #expect(mac.add(flag: true) == errSecSuccess)
        #expect(mac.count(flag: nil) == 1)
        #expect(mac.count(flag: true) == 1)
    }

    @Test(.requirement("MAC-01"), arguments: [SystemProfile.iOS(26), .iOSSimulator, .macOS(26)])
    func `are told apart by the flag on a Mac, and elsewhere are one`(system: SystemProfile) throws
    {
        let mac = try Mac(system: system)
        #expect(mac.add() == errSecSuccess)
        let isMac = system == .macOS(26)
        #expect(mac.find(flag: true).status == (isMac ? errSecItemNotFound : errSecSuccess))
        #expect(mac.add(flag: true) == (isMac ? errSecSuccess : errSecDuplicateItem))
    }

    @Test(.requirement("MAC-10")) func `are one to an iOS app on a Mac`() throws {
        let mac = try Mac(system: .catalyst(26))
        #expect(mac.add() == errSecSuccess)
        #expect(mac.find(flag: true).status == errSecSuccess)
        #expect(mac.add(flag: true) == errSecDuplicateItem)
        let limited = [kSecMatchLimit as String: kSecMatchLimitAll]
        #expect(
            mac.app.run { SecItemDelete(Mac.query(nil, flag: nil, limited)) } == errSecParam
        )
    }

    @Test(.requirement("QRY-15", "MAC-12"))
    func `delete one match, or all of them`() throws {
        let mac = try Mac()
        for account in ["a", "b", "c"] {
            #expect(mac.add(account) == errSecSuccess)
            #expect(mac.add(account, flag: true) == errSecSuccess)
        }
        #expect(mac.delete() == errSecSuccess)
        #expect(mac.count(flag: nil) == 2)
        #expect(mac.delete(flag: true) == errSecSuccess)
        #expect(mac.count(flag: true) == 0)
        #expect(mac.delete("missing") == errSecItemNotFound)
    }

    @Test(.requirement("MAC-11")) func `need an entitlement, or none`() throws {
        let mac = try Mac()
        let bare = mac.device.install(.init(bundleIdentifier: ""))
        #expect(mac.find(flag: true, in: bare).status == errSecMissingEntitlement)
        #expect(mac.find(in: bare).status == errSecItemNotFound)
    }

    @Test(.requirement("MAC-09"))
    func `are out of reach, or not, outside of a user's session`() throws {
        let mac = try Mac()
        let daemon = mac.device.install(
            .init(bundleIdentifier: "com.example.daemon", isSystemDaemon: true)
        )
        #expect(mac.find(flag: true, in: daemon).status == errSecInteractionNotAllowed)
        #expect(mac.add() == errSecSuccess)
        #expect(mac.find(in: daemon).status == errSecSuccess)
    }

    @Test(.requirement("CRT-11"), arguments: [true, false])
    func `make no identity of halves that are in both`(together: Bool) throws {
        let mac = try Mac()
        let pair = Person.ada
        let statuses = mac.app.run {
            [
                SecItemAdd(
                    [
                        kSecValueRef: pair.certificate, kSecUseDataProtectionKeychain: true,
                    ] as [CFString: Any] as CFDictionary,
                    nil
                ),
                SecItemAdd(
                    [
                        kSecValueRef: pair.key, kSecUseDataProtectionKeychain: together,
                    ] as [CFString: Any] as CFDictionary,
                    nil
                ),
            ]
        }
        #expect(statuses == [errSecSuccess, errSecSuccess])
        let identities = [true, false].map { flag in
            mac.app.run {
                SecItemCopyMatching(
                    [
                        kSecClass: kSecClassIdentity, kSecUseDataProtectionKeychain: flag,
                    ] as [CFString: Any] as CFDictionary,
                    nil
                )
            }
        }
        #expect(identities == [together ? errSecSuccess : errSecItemNotFound, errSecItemNotFound])
    }
}

@Suite struct `The file-based keychain` {
    @Test(.requirement("MAC-03")) func `takes no access control`() throws {
        let mac = try Mac()
        let control = SecAccessControlCreateWithFlags(
            nil,
            kSecAttrAccessibleWhenUnlocked,
            .userPresence,
            nil
        )
        let gated: [String: Any] = [kSecAttrAccessControl as String: control as Any]
        #expect(mac.add("alice", gated) == errSecParam)
        #expect(mac.add("alice", flag: true, gated) == errSecSuccess)
        #expect(mac.count(flag: nil) == 0)
    }

    @Test(.requirement("MAC-04")) func `leaves what it has not to the other`() throws {
        let mac = try Mac()
        #expect(mac.add("alice", [kSecAttrSynchronizable as String: true]) == errSecSuccess)
        let synced: [String: Any] = [kSecAttrSynchronizable as String: true]
        #expect(mac.find("alice", flag: true, synced).status == errSecSuccess)
        #expect(mac.find().status == errSecItemNotFound)
        var error: Unmanaged<CFError>?
        let key = mac.app.run {
            SecKeyCreateRandomKey(
                [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                    kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
                ] as [CFString: Any] as CFDictionary,
                &error
            )
        }
        #expect(key == nil)
        #expect(error?.takeRetainedValue().code == Int(errSecParam))
        #expect(mac.device.prompts.isEmpty)
    }

    @Test(.requirement("MAC-05")) func `knows no accessibility and no group`() throws {
        let mac = try Mac()
        let ignored: [String: Any] = [
            kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            kSecAttrAccessGroup as String: "somebody.elses.group",
        ]
        #expect(mac.add("alice", ignored) == errSecSuccess)
        let found = mac.find("alice", [kSecReturnAttributes as String: true])
        let attributes = try #require(found.result as? [String: Any])
        #expect(attributes[kSecAttrAccount as String] as? String == "alice")
        let unknown: Set<String> = [.accessible, .accessGroup, .accessControl]
        #expect(unknown.isDisjoint(with: attributes.keys))
        mac.device.lock()
        #expect(
            mac.find("alice", [kSecReturnData as String: true]).result as? Data
                == Data("secret".utf8)
        )
    }

    @Test(.requirement("MAC-06")) func `is open to every program, as to its owner`() throws {
        let mac = try Mac()
        #expect(mac.add() == errSecSuccess)
        let other = mac.device.install(
            .init(bundleIdentifier: "org.example.other", teamIdentifier: "OTHERTEAM1")
        )
        let read = mac.find("alice", [kSecReturnData as String: true], in: other)
        #expect(read.status == errSecSuccess)
        #expect(read.result as? Data == Data("secret".utf8))
        #expect(mac.device.fileBasedKeychainListing() == ["alice"])
    }

    @Test(.requirement("MAC-07")) func `lists nothing of the other`() throws {
        let mac = try Mac()
        #expect(mac.add("visible") == errSecSuccess)
        #expect(mac.add("hidden", flag: true) == errSecSuccess)
        #expect(mac.device.fileBasedKeychainListing() == ["visible"])
        mac.device.lock()
        #expect(mac.find("hidden", flag: true).status == errSecInteractionNotAllowed)
    }

    @Test(
        .requirement("MAC-13"),
        arguments: [BehaviorProfile.FileBasedMatchLimit.one, .all]
    )
    func `returns one match or all without a limit, as the profile says`(
        limit: BehaviorProfile.FileBasedMatchLimit
    ) throws {
        let mac = try Mac(limit: limit)
        for account in ["a", "b"] { #expect(mac.add(account) == errSecSuccess) }
        let result = mac.find(nil, [kSecReturnAttributes as String: true]).result
        #expect((result as? [Any])?.count == (limit == .all ? 2 : nil))
        #expect((result is [String: Any]) == (limit == .one))
    }

    @Test(.contradiction("data-of-all")) func `returns the values of passwords one by one`() throws
    {
        let mac = try Mac()
        #expect(mac.add() == errSecSuccess)
        #expect(mac.add(flag: true) == errSecSuccess)
        let all: [String: Any] = [
            kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        #expect(mac.find("alice", all).status == errSecParam)
        #expect(mac.find("alice", flag: true, all).status == errSecSuccess)
    }

    @Test(.contradiction("server-on-generic")) func `ignores attributes that a class has not`()
        throws
    {
        let mac = try Mac()
        let foreign: [String: Any] = [kSecAttrServer as String: "example.com"]
        #expect(mac.add("alice", foreign) == errSecSuccess)
        #expect(mac.find("alice", foreign).status == errSecSuccess)
        #expect(mac.add("bob", flag: true, foreign) == errSecNoSuchAttr)
    }

    @Test func `updates what it has`() throws {
        let mac = try Mac()
        #expect(mac.add() == errSecSuccess)
        let status = mac.app.run {
            SecItemUpdate(
                Mac.query("alice", flag: nil, [:]),
                [kSecValueData: Data("newer".utf8)] as [CFString: Any] as CFDictionary
            )
        }
        #expect(status == errSecSuccess)
        #expect(
            mac.find("alice", [kSecReturnData as String: true]).result as? Data
                == Data("newer".utf8)
        )
        #expect(mac.find(flag: true).status == errSecItemNotFound)
    }
}
