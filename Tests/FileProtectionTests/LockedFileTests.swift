import FileProtection
import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

/// A phone with an app, and a folder for its files.
struct Phone {
    let device: SimulatedDevice
    let app: SimulatedApp
    let folder: Folder

    init() throws {
        device = try SimulatedDevice()
        app = device.install(.init(bundleIdentifier: "com.example.diary"))
        folder = try Folder()
    }
}

/// The number of a refusal, and what the keychain said.
func refusal(_ body: () throws -> Void) -> [Int] {
    do { try body() } catch let error as CocoaError {
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        return [error.errorCode, underlying?.code ?? 0]
    } catch { return [-1] }
    return []
}

/// What works with an open file, and with a new and an old one, while the device is locked.
private struct Row: Sendable, CustomTestStringConvertible {
    let type: FileProtectionType
    let open: Bool
    let creating: Bool
    let opening: Bool

    var testDescription: String { type.rawValue }

    //                                                            open   creating  opening
    static let whileLocked = [
        Row(type: .complete, open: false, creating: false, opening: false),
        Row(type: .completeUnlessOpen, open: true, creating: true, opening: false),
        Row(
            type: .completeUntilFirstUserAuthentication,
            open: true,
            creating: true,
            opening: true
        ),
        Row(type: .none, open: true, creating: true, opening: true),
    ]
}

@Suite struct `A protected file on a device` {
    private let phone: Phone

    init() throws { phone = try Phone() }

    @Test(.requirement("FDP-14"), arguments: Row.whileLocked)
    private func `is in reach while its class is`(row: Row) throws {
        try phone.app.run {
            let url = phone.folder.url("a")
            let file = try ProtectedFile(creating: url, protection: row.type)
            try file.write(contentsOf: Data("before".utf8))
            phone.device.lock()
            let refused = [[257, -25308], [513, -25308]]
            #expect(
                refusal { _ = try file.read(at: 0, upToCount: 6) } == (row.open ? [] : refused[0])
            )
            #expect(
                refusal { try file.write(contentsOf: Data(" after".utf8)) }
                    == (row.open ? [] : refused[1])
            )
            let created = refusal {
                _ = try ProtectedFile(creating: phone.folder.url("b"), protection: row.type)
            }
            #expect(created == (row.creating ? [] : refused[1]))
            #expect(refusal { try file.close() } == [])
            #expect(
                refusal { _ = try ProtectedFile(opening: url) } == (row.opening ? [] : refused[0])
            )
            try phone.device.unlock(passcode: "0000")
            let text = row.open ? "before after" : "before"
            #expect(try Data(contentsOfProtectedFile: url) == Data(text.utf8))
        }
    }

    @Test func `works again after the unlock, with what was written before the lock`() throws {
        try phone.app.run {
            let url = phone.folder.url("a")
            let file = try ProtectedFile(creating: url, protection: .complete)
            try file.write(contentsOf: Data("one".utf8))
            phone.device.lock()
            #expect(refusal { _ = try file.read(at: 0, upToCount: 3) } == [257, -25308])
            try phone.device.unlock(passcode: "0000")
            #expect(try file.read(at: 0, upToCount: 3) == Data("one".utf8))
            try file.write(contentsOf: Data("two".utf8))
            try file.close()
            #expect(try Data(contentsOfProtectedFile: url) == Data("onetwo".utf8))
        }
    }

    @Test(.requirement("FDP-02"))
    func `of the second class keeps an open handle, and opens no closed one`() throws {
        try phone.app.run {
            let url = phone.folder.url("a")
            let file = try ProtectedFile(creating: url, protection: .completeUnlessOpen)
            phone.device.lock()
            try file.write(contentsOf: Data("while locked".utf8))
            try file.close()
            #expect(refusal { _ = try ProtectedFile(opening: url) } == [257, -25308])
            try phone.device.unlock(passcode: "0000")
            #expect(try Data(contentsOfProtectedFile: url) == Data("while locked".utf8))
        }
    }

    @Test func `is out of reach for another app, and for a device that is not its own`() throws {
        let url = phone.folder.url("a")
        try phone.app.run { try Data("x".utf8).write(toProtectedFile: url) }
        let other = phone.device.install(.init(bundleIdentifier: "com.example.other"))
        let read = { _ = try Data(contentsOfProtectedFile: url) }
        #expect(other.run { refusal(read) } == [257, -34018])
        let twin = try Phone()
        #expect(twin.app.run { refusal(read) }.first == 257)
    }

    @Test func `can be read and written by several tasks`() async throws {
        let url = phone.folder.url("a")
        try await phone.app.run {
            let file = try ProtectedFile(creating: url)
            try await file.write(contentsOf: Data("async".utf8))
            try await file.synchronize()
            file.seek(toOffset: 1)
            #expect(try await file.read(upToCount: 3) == Data("syn".utf8))
            #expect(file.seekToEnd() == 5)
            #expect(try await file.read(upToCount: 3) == nil)
        }
    }
}

@Suite struct `An envelope` {
    private static let envelope = Envelope(service: "diary", account: "file key")
    private static var item: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "diary",
            kSecAttrAccount as String: "file key",
        ]
    }

    /// The item as any program finds it.
    private static func key() -> (status: OSStatus, data: Data?) {
        var found: CFTypeRef?
        let query = item.merging([kSecReturnData as String: true]) { $1 }
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        return (status, found as? Data)
    }

    @Test(.requirement("FDP-10", "STO-16"))
    func `needs both the item in the keychain and the protected file`() throws {
        let phone = try Phone()
        let url = phone.folder.url("diary")
        // Sealing 50 MB takes less than a tenth of a second; making them up takes longer.
        let content = Data(repeating: 7, count: 50_000_000)
        try phone.app.run {
            try Self.envelope.write(content, to: url)
            #expect(Self.key().data?.count == 32)
            #expect(url.isProtectedFile)
            // The file without the item shows nothing of the content.
            let inner = try Data(contentsOfProtectedFile: url)
            #expect(inner.prefix(100_000).range(of: content[..<64]) == nil)
            #expect(try Self.envelope.read(url) == content)
            phone.device.lock()
            #expect(throws: (any Error).self) { try Self.envelope.read(url) }
            #expect(throws: (any Error).self) { try Data(contentsOfProtectedFile: url) }
            #expect(Self.key().status == errSecInteractionNotAllowed)
            try phone.device.unlock(passcode: "0000")
            #expect(SecItemDelete(Self.item as CFDictionary) == errSecSuccess)
            #expect(throws: Envelope.Failure.keychain(errSecItemNotFound)) {
                try Self.envelope.read(url)
            }
        }
    }
}
