import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

@Suite struct `A backup of a device with apps` {
    let phone: Phone
    let folder: URL

    init() throws {
        phone = try Phone(groups: ["group.com.example"])
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("backup-" + UUID().uuidString)
        let documents = phone.app.container.appendingPathComponent("Documents")
        try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
        try Data("draft".utf8).write(to: documents.appendingPathComponent("draft.txt"))
        phone.app.defaults.set("dark", forKey: "theme")
        phone.app.defaults(suiteName: "group.com.example")?.set(7, forKey: "count")
    }

    /// What an app finds of it.
    private func content(of app: SimulatedApp) -> [String?] {
        let draft = try? Data(
            contentsOf: app.container.appendingPathComponent("Documents/draft.txt")
        )
        return [
            draft.map { String(decoding: $0, as: UTF8.self) },
            app.defaults.string(forKey: "theme"),
            app.defaults(suiteName: "group.com.example")?.string(forKey: "count"),
        ]
    }

    @Test func `brings files and defaults to another device`() throws {
        let backup = try phone.device.backup(password: "tape")
        #expect(backup.range(of: Data("draft".utf8)) == nil)
        let other = try Phone(groups: ["group.com.example"])
        #expect(content(of: other.app) == [nil, nil, nil])
        try other.device.restore(backup, password: "tape")
        #expect(content(of: other.app) == ["draft", "dark", "7"])
    }

    @Test func `opens with its password only, and undamaged`() throws {
        var backup = try phone.device.backup(password: "tape")
        let other = try Phone()
        let wrong = #expect(throws: SimulatorError.self) {
            try other.device.restore(backup, password: "wrong")
        }
        #expect(wrong?.status == errSecAuthFailed)
        let middle = backup.count / 2
        backup[middle] ^= 1
        #expect(throws: SimulatorError.self) {
            try other.device.restore(backup, password: "tape")
        }
        #expect(content(of: other.app) == [nil, nil, nil])
    }

    @Test func `shows everything but the keychain without a password`() throws {
        let status = phone.add("secret", account: "ada", accessible: kSecAttrAccessibleWhenUnlocked)
        #expect(status == errSecSuccess)
        let backup = try phone.device.backupWithoutPassword()
        #expect(backup.range(of: Data("draft".utf8)) != nil)
        #expect(backup.range(of: Data("secret".utf8)) == nil)
        let other = try Phone(groups: ["group.com.example"])
        try other.device.restoreWithoutPassword(backup)
        #expect(content(of: other.app) == ["draft", "dark", "7"])
        #expect(other.find("ada").status == errSecItemNotFound)
    }

    @Test(.requirement("STO-10"))
    func `shows three stores as plain text, and neither items nor what stays on the device`() throws
    {
        defer { try? FileManager.default.removeItem(at: folder) }
        let app = phone.app.container
        phone.app.defaults.set("secret of defaults", forKey: "token")
        let list = ["token": "secret of a list"]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: app.appendingPathComponent("list.plist"))
        try NSKeyedArchiver.archivedData(
            withRootObject: "secret of an archive" as NSString,
            requiringSecureCoding: true
        ).write(to: app.appendingPathComponent("archive"))
        let moving = kSecAttrAccessibleWhenUnlocked
        let staying = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        #expect(phone.add("secret of moving", account: "moving", accessible: moving) == 0)
        #expect(phone.add("secret of staying", account: "staying", accessible: staying) == 0)
        try phone.device.backup(to: folder, password: "tape")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let shown = paths.compactMap { try? Data(contentsOf: folder.appendingPathComponent($0)) }
        func shows(_ text: String) -> Bool {
            shown.contains { $0.range(of: Data(text.utf8)) != nil }
        }
        #expect(shows("secret of defaults") && shows("secret of a list"))
        #expect(shows("secret of an archive"))
        #expect(!shows("secret of moving") && !shows("secret of staying"))
        let other = try Phone()
        let keychain = folder.appendingPathComponent("keychain-backup")
        try other.device.restore(Data(contentsOf: keychain), password: "tape")
        #expect(other.find("moving").status == errSecSuccess)
        #expect(other.find("staying").status == errSecItemNotFound)
    }
}
