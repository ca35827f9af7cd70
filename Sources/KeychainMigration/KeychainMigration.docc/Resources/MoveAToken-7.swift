import Foundation
import KeychainMigration
import KeychainSimulator
import Testing

/// The move of a token from a settings file into the keychain.
struct TokenMove {
    let settings: URL
    let folder: URL
    let token = ItemAddress.genericPassword(service: "api", account: "token")

    private var copies: RollbackStore {
        RollbackStore(folder: folder.appending(path: "copies"))
    }

    func run(isDryRun: Bool = false) async -> MigrationReport {
        let isOpen = await SystemProtectedData().isAvailable()
        let old = PropertyListSource(
            file: PlainFile(settings),
            trust: { isOpen ? .trusted : .protectedDataUnavailable }
        )
        let mover = Mover(
            journal: FileJournal(file: folder.appending(path: "journal")),
            retention: .encryptedRollback(days: 30),
            rollback: copies
        )
        let moves = [Move("session.token", from: old, to: token)]
        return mover.run(moves, isDryRun: isDryRun)
    }

    /// The token that the move deleted, for a return to the old version of the app.
    func original() throws -> String? {
        guard let copy = try copies.origins().first else { return nil }
        let value = try copies.value(of: copy.id)
        return value.map { String(decoding: $0.copyBytesUnprotected(), as: UTF8.self) }
    }
}

@Suite struct `A move of a token` {
    let phone: SimulatedDevice
    let app: SimulatedApp
    let move: TokenMove

    init() throws {
        phone = try SimulatedDevice(passcode: "0000")
        app = phone.install(.init(bundleIdentifier: "com.example.app"))
        let settings = app.container.appending(path: "settings.plist")
        move = TokenMove(settings: settings, folder: app.container)
        let old = ["session": ["token": "t0ken", "theme": "dark"]]
        try PropertyListEncoder().encode(old).write(to: settings)
    }

    private func settingsContain(_ text: String) throws -> Bool {
        let list = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: move.settings),
            format: nil
        )
        return "\(list)".contains(text)
    }

    @Test func `shows first what it would do`() async throws {
        let plan = await app.run { await move.run(isDryRun: true) }
        #expect(plan.lines.count == 1)
        #expect(try settingsContain("t0ken"))
    }

    @Test func `leaves the token in the keychain only`() async throws {
        let report = await app.run { await move.run() }
        #expect(report.isComplete)
        #expect(try app.run { try ServicesKeychain().exists(move.token) })
        #expect(try !settingsContain("t0ken"))
        #expect(try settingsContain("dark"))
    }

    @Test func `has a way back`() async throws {
        _ = await app.run { await move.run() }
        #expect(try app.run { try move.original() } == "t0ken")
    }

    @Test func `waits for the first unlock after a restart`() async throws {
        phone.reboot()
        #expect(await !app.run(.background) { await move.run() }.isComplete)
        try phone.unlock(passcode: "0000")
        #expect(await app.run { await move.run() }.isComplete)
        #expect(try app.run { try move.original() } == "t0ken")
    }
}
