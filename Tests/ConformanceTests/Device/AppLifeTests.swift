import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `An app` {
    let device: SimulatedDevice
    let app: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        app = device.installExample()
    }

    /// What an app keeps.
    private enum Belonging { case file, userDefault, item }

    /// What is there of the app's.
    private func remains(of app: SimulatedApp) -> Set<Belonging> {
        var found: Set<Belonging> = []
        if FileManager.default.fileExists(atPath: file(of: app).path) { found.insert(.file) }
        if app.defaults.bool(forKey: "launched") { found.insert(.userDefault) }
        let status = app.run { Password().find() }
        if status == errSecSuccess { found.insert(.item) }
        return found
    }

    private func file(of app: SimulatedApp) -> URL { app.container.appendingPathComponent("file") }

    private func use(_ app: SimulatedApp) throws {
        try Data("content".utf8).write(to: file(of: app))
        app.defaults.set(true, forKey: "launched")
        app.run { _ = Password().add() }
    }

    @Test(.requirement("SIM-12")) func `keeps everything when it is updated`() throws {
        try use(app)
        let updated = device.install(
            .init(bundleIdentifier: "com.example.app", applicationGroups: ["group.com.example"])
        )
        #expect(remains(of: updated) == [.file, .userDefault, .item])
        #expect(updated.container == app.container)
    }

    @Test(.requirement("SIM-12"))
    func `keeps its items alone when it is uninstalled and comes back`() throws {
        try use(app)
        let old = file(of: app)
        device.uninstall(app)
        #expect(!FileManager.default.fileExists(atPath: old.path))
        let again = device.installExample()
        #expect(remains(of: again) == [.item])
        #expect(again.container != app.container)
    }

    @Test(.requirement("SIM-12")) func `that was uninstalled runs no more`() throws {
        device.uninstall(app)
        app.run {
            #expect(Password().add() == errSecMissingEntitlement)
            #expect(Password().read() == .notEntitled)
        }
        // Also not as a guest of the one that replaced it.
        let again = device.installExample()
        #expect(app.run { Password().read() } == .notEntitled)
        #expect(again.run { Password().read() } == .notFound)
    }

    @Test(.requirement("SIM-12"))
    func `finds nothing of its own under another team`() throws {
        try use(app)
        let moved = device.install(
            .init(bundleIdentifier: "com.example.app", teamIdentifier: "NEWTEAM123")
        )
        #expect(remains(of: moved) == [.file, .userDefault])
    }

    @Test(.requirement("SIM-12")) func `has a sandbox that no other app shares`() throws {
        let other = device.install(.init(bundleIdentifier: "com.example.other"))
        try use(app)
        #expect(remains(of: other) == [])
        #expect(other.container != app.container)
        device.uninstall(other)
        #expect(remains(of: app) == [.file, .userDefault, .item])
    }

    @Test(.requirement("SIM-12"), arguments: [false, true])
    func `survives its process and a restart of the device`(reboots: Bool) throws {
        try use(app)
        if reboots {
            device.reboot()
            try device.unlock(passcode: "0000")
        }
        // A launch is a new handle on what is installed.
        #expect(remains(of: device.install(app.manifest)) == [.file, .userDefault, .item])
    }

    @Test(.requirement("SIM-21")) func `leaves no file when its device is gone`() throws {
        var container: URL?
        do {
            let device = try SimulatedDevice()
            let app = device.installExample()
            try use(app)
            container = app.container
        }
        let path = try #require(container?.path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
