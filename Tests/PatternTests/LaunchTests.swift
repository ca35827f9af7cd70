import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

@testable import KeychainPatterns

@Suite struct `The cleanup of the first launch` {
    @Test func `removes what the installation before left`() throws {
        let phone = try Phone()
        let item = StoredSecret(service: "api", account: "ada")
        let synced = SyncedPassword(server: "example.com", account: "ada")
        try phone.app.run {
            try item.save(.secret)
            try synced.save(.secret)
        }
        phone.device.uninstall(phone.app)
        let again = phone.device.install(phone.app.manifest)
        let cleanup = FirstLaunchCleanup(defaults: again.defaults, earlierKeys: [])
        try again.run {
            #expect(try item.read() == .secret)
            #expect(try cleanup.run(isProtectedDataAvailable: true) == .cleaned)
            #expect(try item.read() == nil)
            #expect(try synced.read() == nil)
            try item.save(.other)
            #expect(try cleanup.run(isProtectedDataAvailable: true) == .notFirstLaunch)
            #expect(try item.read() == .other)
        }
    }

    @Test func `leaves the items of users who update`() throws {
        let phone = try Phone()
        let item = StoredSecret(service: "api", account: "ada")
        let (key, defaults) = ("com.example.app.version", phone.app.defaults)
        let cleanup = FirstLaunchCleanup(defaults: defaults, earlierKeys: [key])
        try phone.app.run {
            try item.save(.secret)
            defaults.set("1.0", forKey: key)
            #expect(try cleanup.run(isProtectedDataAvailable: true) == .notFirstLaunch)
            #expect(try item.read() == .secret)
            defaults.removeObject(forKey: key)
            #expect(try cleanup.run(isProtectedDataAvailable: true) == .notFirstLaunch)
        }
    }

    @Test func `decides nothing before the first unlock`() throws {
        let phone = try Phone()
        let cleanup = FirstLaunchCleanup(defaults: phone.app.defaults, earlierKeys: [])
        #expect(try phone.app.run { try cleanup.run(isProtectedDataAvailable: false) } == .tryLater)
        #expect(try phone.app.run { try cleanup.run(isProtectedDataAvailable: true) } == .cleaned)
    }
}

@Suite struct `A chain of migrations` {
    private func chain(_ seen: Seen, failingAt failing: Int? = nil) -> MigrationChain {
        MigrationChain(
            steps: (0..<3).map { number in
                {
                    guard number != failing else {
                        throw KeychainError("migrate", "it", errSecInteractionNotAllowed)
                    }
                    seen.add(Data([UInt8(number)]))
                }
            }
        )
    }

    @Test func `runs each step once, also for who skipped versions`() throws {
        let phone = try Phone()
        let seen = Seen()
        try phone.app.run { () throws in
            let chain = chain(seen)
            #expect(try chain.migrate(isProtectedDataAvailable: false) == .tryLater)
            #expect(
                try chain.migrate(isProtectedDataAvailable: true) == .migrated(from: 0, to: 3)
            )
            #expect(try chain.migrate(isProtectedDataAvailable: true) == .upToDate)
        }
        #expect(seen.values == [Data([0]), Data([1]), Data([2])])
    }

    @Test func `continues with the step that failed`() throws {
        let phone = try Phone()
        let seen = Seen()
        try phone.app.run { () throws in
            #expect(throws: KeychainError.self) {
                _ = try chain(seen, failingAt: 1).migrate(isProtectedDataAvailable: true)
            }
            #expect(
                try chain(seen).migrate(isProtectedDataAvailable: true) == .migrated(from: 1, to: 3)
            )
        }
        #expect(seen.values == [Data([0]), Data([1]), Data([2])])
    }

    @Test func `remembers its version when the app is installed anew`() throws {
        let phone = try Phone()
        _ = try phone.app.run { try chain(Seen()).migrate(isProtectedDataAvailable: true) }
        phone.device.uninstall(phone.app)
        let again = phone.device.install(phone.app.manifest)
        let outcome = try again.run { try chain(Seen()).migrate(isProtectedDataAvailable: true) }
        #expect(outcome == .upToDate)
    }
}

@Suite(.requirement("DOC-07")) struct `A deferred cleanup` {
    @Test func `deletes the named files and keys after 30 days`() throws {
        let phone = try Phone()
        let defaults = phone.app.defaults
        defaults.set("old", forKey: "old token")
        defaults.set(true, forKey: "com.example.app.hasLaunched")
        let file = phone.file("credentials.plist")
        try Data.secret.write(to: file)
        let cleanup = DeferredCleanup(files: [file], defaults: defaults, keys: ["old token"])
        let start = Date(timeIntervalSince1970: 1_000_000)
        try phone.app.run {
            #expect(try !cleanup.runIfDue(at: start))
            try cleanup.begin(at: start)
            try cleanup.begin(at: start + DeferredCleanup.delay)
            #expect(try !cleanup.runIfDue(at: start + DeferredCleanup.delay - 1))
            #expect(FileManager.default.fileExists(atPath: file.path))
            #expect(try cleanup.runIfDue(at: start + DeferredCleanup.delay))
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(defaults.string(forKey: "old token") == nil)
        #expect(defaults.bool(forKey: "com.example.app.hasLaunched"))
    }
}

@Suite struct `The sequence of a launch` {
    private func sequence(_ phone: Phone, _ seen: Seen) -> LaunchSequence {
        LaunchSequence(
            cleanup: FirstLaunchCleanup(defaults: phone.app.defaults, earlierKeys: []),
            chain: MigrationChain(steps: [{ seen.add(Data("migration".utf8)) }]),
            deferred: DeferredCleanup(files: [], defaults: phone.app.defaults, keys: []),
            startLibraries: { seen.add(Data("libraries".utf8)) }
        )
    }

    @Test func `starts libraries last, and not before the first unlock`() throws {
        let phone = try Phone()
        let seen = Seen()
        #expect(phone.addOld(.secret, service: "api", account: "previous user") == errSecSuccess)
        try phone.app.run { () throws in
            let sequence = sequence(phone, seen)
            #expect(try sequence.run(isProtectedDataAvailable: false) == .tryLater)
            #expect(seen.values == [])
            #expect(try sequence.run(isProtectedDataAvailable: true) == .ready)
            #expect(seen.values == [Data("migration".utf8), Data("libraries".utf8)])
            #expect(try ItemList(service: "api").entries() == [])
        }
    }
}

@Suite struct `Waiting for protected data` {
    @Test(.timeLimit(.minutes(10))) @MainActor
    func `ends with the unlock`() async throws {
        let phone = try Phone()
        await phone.app.run { await ProtectedData().waitUntilAvailable() }
        phone.device.reboot()
        #expect(phone.app.run { !ProtectedData().isAvailable })
        async let unlocked: Void = phone.app.run { await ProtectedData().waitUntilAvailable() }
        try phone.unlock()
        await unlocked
        #expect(phone.app.run { ProtectedData().isAvailable })
    }
}

@Suite struct `Signing out` {
    @Test func `deletes everything of the session, and nothing else`() throws {
        let phone = try Phone()
        try phone.app.run {
            try ["access", "refresh"].forEach { account in
                try StoredSecret(service: "api", account: account).save(.secret)
            }
            try StoredSecret(service: "settings", account: "key").save(.other)
        }
        phone.device.lock()
        try phone.app.run(.background) { try SignOut(services: ["api", "none"]).deleteAllItems() }
        try phone.unlock()
        try phone.app.run { () throws in
            #expect(try ItemList(service: "api").entries() == [])
            #expect(try StoredSecret(service: "settings", account: "key").read() == .other)
        }
    }
}
