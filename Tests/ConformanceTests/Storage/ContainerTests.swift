import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

@Suite struct `An app's items` {
    @Test(.requirement("STO-09"))
    func `outlive its container`() throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let file = app.container.appending(path: "Documents")
        try Data("draft".utf8).write(to: file)
        try app.run {
            #expect(Password().add() == errSecSuccess)
            try FileManager.default.removeItem(at: app.container)
            #expect(Password().read() == .value)
        }
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(.requirement("STO-09"))
    func `lie in no place that belongs to the app`() throws {
        let root = FileManager.default.temporaryDirectory
            .appending(path: "device-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: root) }
        let device = try SimulatedDevice(directory: root)
        let app = device.installExample()
        app.run { #expect(Password().add() == errSecSuccess) }
        let inside = try FileManager.default.subpathsOfDirectory(atPath: app.container.path)
        #expect(inside.isEmpty)
        #expect(FileManager.default.fileExists(atPath: root.appending(path: "keychain.db").path))
    }
}
