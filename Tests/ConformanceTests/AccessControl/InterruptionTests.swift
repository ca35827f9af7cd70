import KeychainSimulator
import LocalAuthentication
import Synchronization
import TestSupport
import Testing

extension GatedApp {
    /// Two gated items and a plain one.
    static func withThree() throws -> GatedApp {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence) == errSecSuccess)
        #expect(gated.add(.devicePasscode, account: "bob") == errSecSuccess)
        #expect(gated.addPlain() == errSecSuccess)
        return gated
    }

    /// Every item as its owner reads it: account, label and value.
    func snapshot() throws -> Set<[String]> {
        device.user = .owner
        if device.state != .unlocked { try device.unlock(passcode: "0000") }
        let (status, result) = find([
            kSecClass as String: kSecClassGenericPassword,
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
            kSecReturnData as String: true,
        ])
        #expect(status == errSecSuccess)
        let items = result as? [[String: Any]] ?? []
        let rows = items.map { item in
            [
                item[kSecAttrAccount as String] as? String ?? "",
                item[kSecAttrLabel as String] as? String ?? "",
                (item[kSecValueData as String] as? Data).map { "\(Array($0))" } ?? "",
            ]
        }
        #expect(Set(rows).count == items.count)
        return Set(rows)
    }
}

/// ★ What goes wrong while somebody is asked, and the status of the call.
struct Interruption: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let status: OSStatus
    let prepare: @Sendable (GatedApp, LAContext) throws -> Void

    init(
        _ description: String,
        _ status: OSStatus,
        _ prepare: @escaping @Sendable (GatedApp, LAContext) throws -> Void
    ) {
        testDescription = description
        self.status = status
        self.prepare = prepare
    }

    static let all = [
        Interruption("cancel", errSecUserCanceled) { gated, _ in gated.device.script(.cancel) },
        Interruption("wrong twice", errSecAuthFailed) { gated, _ in
            gated.device.script(.present("stranger"), .type("1111"))
        },
        Interruption("the device is locked", errSecInteractionNotAllowed) { gated, _ in
            gated.device.script(.after({ $0.lock() }, .present("owner")))
        },
        Interruption("locked, and unlocked again", errSecAuthFailed) { gated, _ in
            gated.device.script(
                .after(
                    { device in
                        device.lock()
                        #expect(throws: Never.self) { try device.unlock(passcode: "0000") }
                    },
                    .present("owner")
                )
            )
        },
        Interruption("the device restarts", errSecInteractionNotAllowed) { gated, _ in
            gated.device.script(.after({ $0.reboot() }, .present("owner")))
        },
        Interruption("the context is invalidated", errSecAuthFailed) { gated, context in
            gated.device.script(.after({ _ in context.invalidate() }, .present("owner")))
        },
        Interruption("another app comes forward", errSecAuthFailed) { gated, _ in
            gated.device.script(.interrupt)
        },
        Interruption("the context was invalid before", errSecAuthFailed) { _, context in
            context.invalidate()
        },
        Interruption("nobody may be asked", errSecInteractionNotAllowed) { _, context in
            context.interactionNotAllowed = true
        },
    ]
}

@Suite struct `A prompt that comes to nothing` {
    @Test(arguments: Interruption.all, ["read", "update", "read all", "update all"])
    func `gives its status and leaves nothing half done`(
        interruption: Interruption,
        call: String
    ) throws {
        let gated = try GatedApp.withThree()
        let before = try gated.snapshot()
        #expect(before.count == 3)
        let context = LAContext()
        try interruption.prepare(gated, context)
        var query = GatedApp.query()
        if call.hasSuffix("all") { query[kSecAttrAccount as String] = nil }
        query[kSecUseAuthenticationContext as String] = context
        let status: OSStatus
        if call.hasPrefix("update") {
            let changes = [kSecAttrLabel: "renamed", kSecValueData: Data("new".utf8)] as Attributes
            status = gated.app.run { SecItemUpdate(query as CFDictionary, changes as CFDictionary) }
        } else {
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            let found = gated.find(query)
            status = found.status
            #expect(found.result == nil)
        }
        #expect(status == interruption.status)
        #expect(try gated.snapshot() == before)
    }

    @Test(arguments: ["cancel", "lock", "invalidate", "nothing"])
    func `adds no item with a password`(event: String) throws {
        let gated = try GatedApp.withThree()
        let before = try gated.snapshot()
        gated.device.user.applicationPassword = "pw"
        let context = LAContext()
        let expected: OSStatus
        switch event {
        case "cancel":
            gated.device.script(.cancel)
            expected = errSecUserCanceled
        case "lock":
            gated.device.script(.after({ $0.lock() }, .type("pw")))
            expected = errSecInteractionNotAllowed
        case "invalidate":
            gated.device.script(.after({ _ in context.invalidate() }, .type("pw")))
            expected = errSecAuthFailed
        default:
            gated.device.script(.ignore)
            expected = errSecAuthFailed
        }
        let status = gated.add(.applicationPassword, account: "carol", context: context)
        #expect(status == expected)
        #expect(try gated.snapshot() == before)
    }

    @Test func `counts for nothing once the device was locked, in every class`() throws {
        let gated = try GatedApp()
        #expect(gated.add(.userPresence, kSecAttrAccessibleAfterFirstUnlock) == errSecSuccess)
        gated.device.script(.after({ $0.lock() }, .present("owner")))
        #expect(gated.read() == errSecAuthFailed)
        #expect(gated.takePrompts() == [.biometry])
        #expect(gated.read() == errSecSuccess)
    }

    @Test func `keeps what the first item's prompt has proven from the second`() throws {
        let gated = try GatedApp.withThree()
        let before = try gated.snapshot()
        gated.device.script(.present("owner"), .cancel)
        var query = GatedApp.query()
        query[kSecAttrAccount as String] = nil
        let changes = [kSecAttrLabel: "renamed"] as Attributes
        let status = gated.app.run {
            SecItemUpdate(query as CFDictionary, changes as CFDictionary)
        }
        #expect(status == errSecUserCanceled)
        #expect(try gated.snapshot() == before)
    }

    @Test func `proves nothing for a context that was invalidated in the middle`() async throws {
        let gated = try GatedApp()
        let context = LAContext()
        gated.device.script(.after({ _ in context.invalidate() }, .present("owner")))
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == .appCancel)
        #expect(await gated.evaluate(.deviceOwnerAuthentication, context) == .invalidContext)
    }
}

@Suite struct `While somebody is asked` {
    @Test(.requirement("API-26"))
    func `other calls go on, in this app and in others`() throws {
        let gated = try GatedApp.withThree()
        let other = gated.device.install(.init(bundleIdentifier: "com.example.other"))
        let statuses = Mutex<[OSStatus]>([])
        gated.device.script(
            .after(
                { _ in
                    let theirs = other.run { Password().add() }
                    let ours = [
                        gated.addPlain("while asked"), gated.read(account: "plain"),
                        gated.delete(account: "plain"), theirs,
                    ]
                    statuses.withLock { $0 = ours }
                },
                .present("owner")
            )
        )
        #expect(gated.read() == errSecSuccess)
        #expect(statuses.withLock { $0 } == [0, 0, 0, 0])
    }

    @Test(.requirement("API-26"))
    func `the main queue keeps ticking`() async throws {
        let gated = try GatedApp.withThree()
        let isTicking = Mutex(false)
        gated.device.script(
            .after(
                { _ in
                    let tick = DispatchSemaphore(value: 0)
                    DispatchQueue.main.async { tick.signal() }
                    let hasTicked = tick.wait(timeout: .now() + 60) == .success
                    isTicking.withLock { $0 = hasTicked }
                },
                .present("owner")
            )
        )
        let status = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: gated.read()) }
        }
        #expect(status == errSecSuccess)
        #expect(isTicking.withLock { $0 })
    }

    /// An app's keychain behind an actor.
    private actor Vault {
        private let gated: GatedApp

        init(_ gated: GatedApp) { self.gated = gated }

        func read() -> OSStatus { gated.read() }
    }

    @Test(.requirement("API-26"))
    func `a wrapper by an actor and one by a serial queue wait alone`() async throws {
        let gated = try GatedApp.withThree()
        let queue = DispatchQueue(label: "keychain")
        let vault = Vault(gated)
        async let isolated = vault.read()
        async let queued = withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: gated.read()) }
        }
        #expect(await isolated == errSecSuccess)
        #expect(await queued == errSecSuccess)
        #expect(gated.takePrompts() == [.biometry, .biometry])
    }

    @Test func `a second prompt waits for its turn`() async throws {
        let gated = try GatedApp.withThree()
        let shown = Mutex((now: 0, most: 0))
        let count = 16
        for _ in 0..<count {
            gated.device.script(
                .after(
                    { _ in
                        shown.withLock { shown in
                            shown.now += 1
                            shown.most = max(shown.most, shown.now)
                        }
                        // Others have every chance to come in between.
                        for _ in 0..<100 { sched_yield() }
                        shown.withLock { $0.now -= 1 }
                    },
                    .present("owner")
                )
            )
        }
        let statuses = await withTaskGroup(of: OSStatus.self) { group in
            for _ in 0..<count { group.addTask { gated.read() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: errSecSuccess, count: count))
        #expect(gated.device.prompts.count == count)
        #expect(shown.withLock { $0.most } == 1)
    }

    @Test func `a prompt that the event of another causes is shown above it`() throws {
        let gated = try GatedApp.withThree()
        let status = Mutex<OSStatus?>(nil)
        gated.device.script(
            .after(
                { _ in
                    let nested = gated.read(account: "bob")
                    status.withLock { $0 = nested }
                },
                .present("owner")
            )
        )
        #expect(gated.read() == errSecSuccess)
        #expect(status.withLock { $0 } == errSecSuccess)
        #expect(gated.takePrompts() == [.passcode, .biometry])
    }

    @Test func `the item may go, and is not found then`() throws {
        let gated = try GatedApp.withThree()
        gated.device.script(.after({ _ in _ = gated.delete() }, .present("owner")))
        #expect(gated.read() == errSecItemNotFound)
        gated.device.script(
            .after(
                { device in
                    #expect(throws: Never.self) { try device.removePasscode(current: "0000") }
                },
                .type("0000")
            )
        )
        #expect(gated.read(account: "bob") == errSecAuthFailed)
    }
}
