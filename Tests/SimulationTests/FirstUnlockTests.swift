import Foundation
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `What an app keeps, before the first unlock` {
    let phone: Phone
    let draft: URL

    init() throws {
        phone = try Phone(groups: ["group.com.example"])
        let folder = phone.app.container.appendingPathComponent("Documents/old")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        draft = folder.appendingPathComponent("draft.txt")
        try Data("draft".utf8).write(to: draft)
        phone.app.defaults.set(true, forKey: "hasLaunched")
    }

    /// What is in reach of a new process.
    private var inReach: [String] {
        var found: [String] = []
        if (try? Data(contentsOf: draft)) == Data("draft".utf8) { found.append("file") }
        if phone.app.defaults.bool(forKey: "hasLaunched") { found.append("default") }
        return found
    }

    @Test(.requirement("FDP-12")) func `reads as absent in a prewarmed launch`() throws {
        #expect(inReach == ["file", "default"])
        phone.device.lock()
        #expect(inReach == ["file", "default"])
        phone.device.reboot()
        #expect(phone.app.prewarm { inReach } == [])
        #expect(phone.app.defaults.dictionaryRepresentation()["hasLaunched"] == nil)
        try phone.device.unlock(passcode: "0000")
        #expect(inReach == ["file", "default"])
        phone.device.lock()
        #expect(inReach == ["file", "default"])
    }

    @Test(.requirement("FDP-12")) func `cannot be replaced`() throws {
        phone.device.reboot()
        phone.app.defaults.set(false, forKey: "hasLaunched")
        phone.app.defaults.set("lost", forKey: "other")
        try? Data("new".utf8).write(to: draft)
        try phone.device.unlock(passcode: "0000")
        #expect(inReach == ["file", "default"])
        #expect(phone.app.defaults.string(forKey: "other") == nil)
        // Not after another restart either.
        phone.device.reboot()
        #expect(phone.app.defaults.string(forKey: "other") == nil)
    }

    @Test func `is the same for an app group`() throws {
        let group = "group.com.example"
        let defaults = { phone.app.defaults(suiteName: group)?.string(forKey: "theme") }
        phone.app.defaults(suiteName: group)?.set("dark", forKey: "theme")
        phone.device.reboot()
        #expect(defaults() == nil)
        try phone.device.unlock(passcode: "0000")
        #expect(defaults() == "dark")
    }

    @Test func `goes with the app`() throws {
        phone.device.reboot()
        phone.device.uninstall(phone.app)
        let again = phone.device.install(.example())
        try phone.device.unlock(passcode: "0000")
        #expect(inReach == [])
        #expect(!again.defaults.bool(forKey: "hasLaunched"))
    }

    @Test(arguments: [SystemProfile.iOS(26), .iOSSimulator])
    func `is in reach where there is no passcode or nothing is enforced`(
        system: SystemProfile
    ) throws {
        let passcode = system == .iOSSimulator ? "0000" : nil
        let device = try SimulatedDevice(passcode: passcode, system: system)
        let app = device.install(.example())
        app.defaults.set(true, forKey: "hasLaunched")
        device.reboot()
        #expect(app.defaults.bool(forKey: "hasLaunched"))
    }
}
