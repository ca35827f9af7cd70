import FileProtection
import Foundation
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `A protected file in an app's container` {
    private static let group = "group.com.example"

    let phone: Phone
    let file: URL

    init() throws {
        phone = try Phone(groups: [Self.group])
        file = phone.app.container.appendingPathComponent("diary")
    }

    private func write(_ options: Data.WritingOptions = []) throws {
        try phone.app.run {
            try Data("dear diary".utf8).write(toProtectedFile: file, options: options)
        }
    }

    /// The content as an app without a screen reads it, or the number of the error.
    private func read(_ url: URL? = nil, in app: SimulatedApp? = nil) -> String {
        (app ?? phone.app).run(.background) {
            do {
                let content = try Data(contentsOfProtectedFile: url ?? file)
                return String(decoding: content, as: UTF8.self)
            } catch let error as CocoaError { return "\(error.code.rawValue)" } catch {
                return "\(error)"
            }
        }
    }

    @Test(.requirement("FDP-12"))
    func `is out of reach in a prewarmed launch, if it names no class`() throws {
        try write()
        phone.device.lock()
        #expect(read() == "dear diary")
        phone.device.reboot()
        #expect(phone.app.prewarm { read() } == "257")
        try phone.device.unlock(passcode: "0000")
        #expect(read() == "dear diary")
    }

    /// ★ A class, and what a read gives while the device is locked, and before the first unlock.
    private static let classes: [(options: UInt, locked: String, beforeFirstUnlock: String)] = [
        (Data.WritingOptions.completeFileProtection.rawValue, "257", "257"),
        (Data.WritingOptions.completeFileProtectionUnlessOpen.rawValue, "257", "257"),
        (
            Data.WritingOptions.completeFileProtectionUntilFirstUserAuthentication.rawValue,
            "dear diary", "257"
        ),
        (Data.WritingOptions.noFileProtection.rawValue, "dear diary", "dear diary"),
    ]

    @Test(.requirement("SIM-01"), arguments: classes)
    func `locks with the device as its class says`(
        options: UInt,
        locked: String,
        beforeFirstUnlock: String
    ) throws {
        try write(Data.WritingOptions(rawValue: options))
        #expect(read() == "dear diary")
        phone.device.lock()
        #expect(read() == locked)
        phone.device.reboot()
        #expect(read() == beforeFirstUnlock)
        try phone.device.unlock(passcode: "0000")
        #expect(read() == "dear diary")
    }

    @Test(.requirement("SIM-16"))
    func `is never locked in the iOS Simulator`() throws {
        let simulator = try Phone(.iOSSimulator)
        let file = simulator.app.container.appendingPathComponent("diary")
        try simulator.app.run {
            try Data("open".utf8).write(toProtectedFile: file, options: .completeFileProtection)
        }
        simulator.device.lock()
        #expect(read(file, in: simulator.app) == "open")
        simulator.device.reboot()
        #expect(read(file, in: simulator.app) == "open")
    }

    @Test func `opens for no other app, and in a group's container for the apps of the group`()
        throws
    {
        try write()
        let friend = phone.device.install(.example("friend", groups: [Self.group]))
        let stranger = phone.device.install(.example("stranger"))
        #expect(read(in: friend) == "257")
        let shared = try #require(
            phone.app.containerURL(forSecurityApplicationGroupIdentifier: Self.group)
        ).appendingPathComponent("shared")
        try phone.app.run {
            try Data("hello".utf8).write(toProtectedFile: shared, accessGroup: Self.group)
        }
        #expect(read(shared, in: friend) == "hello")
        #expect(read(shared, in: stranger) == "257")
    }

    @Test func `loses its key with the app`() throws {
        try write()
        // What is open shows what deletion leaves of the file.
        let handle = try FileHandle(forReadingFrom: file)
        let left = URL(filePath: "/proc/self/fd/\(handle.fileDescriptor)")
        #expect(left.isProtectedFile)
        phone.device.uninstall(phone.app)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(!left.isProtectedFile)
        try handle.close()
    }

    @Test func `moves to another device in a backup, with a new key`() throws {
        try write(.completeFileProtection)
        let other = try Phone()
        try phone.device.migrate(to: other.device)
        let restored = other.app.container.appendingPathComponent("diary")
        #expect(read(restored, in: other.app) == "dear diary")
        other.device.lock()
        #expect(read(restored, in: other.app) == "257")
        try other.device.unlock(passcode: "0000")
        // The file as it is on the disk opens on its own device only.
        try FileManager.default.removeItem(at: restored)
        try FileManager.default.copyItem(at: file, to: restored)
        #expect(read(restored, in: other.app) == "257")
    }

    @Test func `has the class of its directory, on a device that restored a backup too`() throws {
        let folder = phone.app.container.appendingPathComponent("secret")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let attributes = [FileAttributeKey.protectionKey: FileProtectionType.complete]
        try phone.app.run {
            try FileManager.protected.setAttributes(attributes, ofItemAtPath: folder.path)
        }
        let other = try Phone()
        try phone.device.migrate(to: other.device)
        let file = other.app.container.appendingPathComponent("secret/new")
        try other.app.run { try Data("new".utf8).write(toProtectedFile: file) }
        #expect(read(file, in: other.app) == "new")
        other.device.lock()
        #expect(read(file, in: other.app) == "257")
    }

    @Test(.requirement("FDP-15"))
    func `is in no backup if it is excluded`() throws {
        try write()
        let index = phone.app.container.appendingPathComponent("index")
        try phone.app.run {
            try Data("index".utf8).write(toProtectedFile: index)
            try index.setProtectedFileExcludedFromBackup(true)
        }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("backup-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try phone.device.backup(to: folder, password: "tape")
        let container = folder.appendingPathComponent("Apps/com.example.app/Container")
        let names = try FileManager.default.contentsOfDirectory(atPath: container.path)
        #expect(names == ["diary"])
        let copy = container.appendingPathComponent("diary")
        #expect(try Data(contentsOf: copy) == Data("dear diary".utf8))
        let other = try Phone()
        try phone.device.migrate(to: other.device)
        let restored = try FileManager.default.contentsOfDirectory(atPath: other.app.container.path)
        #expect(restored == ["diary"])
        // Included again, it comes along.
        try phone.app.run { try index.setProtectedFileExcludedFromBackup(false) }
        try phone.device.migrate(to: other.device)
        let found = other.app.container.appendingPathComponent("index")
        #expect(read(found, in: other.app) == "index")
    }
}
