import Foundation
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `The files and defaults of an app group` {
    private static let group = "group.com.example"

    let device: SimulatedDevice
    let first: SimulatedApp
    let second: SimulatedApp
    let stranger: SimulatedApp

    init() throws {
        device = try SimulatedDevice()
        first = device.install(.example("first", groups: [Self.group]))
        second = device.install(.example("second", groups: ["group.other", Self.group]))
        // Shares items with nobody knows whom, and no files.
        stranger = device.install(
            .init(bundleIdentifier: "com.example.stranger", keychainAccessGroups: [Self.group])
        )
    }

    private func file(of app: SimulatedApp) throws -> URL {
        try #require(app.containerURL(forSecurityApplicationGroupIdentifier: Self.group))
            .appendingPathComponent("shared.txt")
    }

    @Test(.requirement("GRP-10")) func `are shared by the apps of the group`() throws {
        try Data("hello".utf8).write(to: file(of: first))
        #expect(try Data(contentsOf: file(of: second)) == Data("hello".utf8))
        try #require(first.defaults(suiteName: Self.group)).set("dark", forKey: "theme")
        #expect(second.defaults(suiteName: Self.group)?.string(forKey: "theme") == "dark")
        #expect(try file(of: first) != first.container.appendingPathComponent("shared.txt"))
        #expect(first.defaults.string(forKey: "theme") == nil)
    }

    @Test(
        .requirement("GRP-10"),
        arguments: [group, "TEAMID1234." + group, "com.example.stranger", ""]
    )
    func `are out of reach with a keychain access group`(name: String) {
        #expect(stranger.containerURL(forSecurityApplicationGroupIdentifier: name) == nil)
        #expect(stranger.defaults(suiteName: name) == nil)
    }

    @Test(.requirement("GRP-10"))
    func `are found by the file manager of the app that runs`() throws {
        let files = FileManager.default
        func directory() -> URL? {
            files.containerURL(forSecurityApplicationGroupIdentifier: Self.group)
        }
        let shared = first.containerURL(forSecurityApplicationGroupIdentifier: Self.group)
        #expect(shared != nil)
        #expect(first.run { directory() } == shared)
        #expect(second.run(.background) { directory() } == shared)
        #expect(stranger.run { directory() } == nil)
        #expect(directory() == nil)
    }

    @Test func `stay until the last app of the group goes`() throws {
        let file = try file(of: first)
        try Data("hello".utf8).write(to: file)
        device.uninstall(first)
        #expect(first.containerURL(forSecurityApplicationGroupIdentifier: Self.group) == nil)
        #expect(FileManager.default.fileExists(atPath: file.path))
        device.uninstall(second)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(.requirement("SIM-16")) func `are open to every app in the iOS Simulator`() throws {
        let phone = try Phone(.iOSSimulator)
        let url = phone.app.containerURL(forSecurityApplicationGroupIdentifier: Self.group)
        #expect(url != nil)
    }
}
