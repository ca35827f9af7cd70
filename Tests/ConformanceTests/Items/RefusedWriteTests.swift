import Foundation
import KeychainSimulator
import Security
import Testing

@Suite struct `After a write that was refused` {
    /// A directory that goes with the test.
    private final class Directory {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("refused-write-" + UUID().uuidString)

        init() throws {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private static func item(_ account: String, _ accessible: CFString) -> NSDictionary {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "mail",
            kSecAttrAccount: account, kSecAttrAccessible: accessible,
        ]
    }

    private static func app(in directory: Directory) throws -> SimulatedApp {
        try SimulatedDevice(directory: directory.url)
            .install(.init(bundleIdentifier: "com.example.app"))
    }

    @Test func `items of a class that nothing was stored in before outlive a restart`() throws {
        let directory = try Directory()
        try Self.app(in: directory).run {
            let first = Self.item("ada", kSecAttrAccessibleWhenUnlocked)
            #expect(SecItemAdd(first, nil) == errSecSuccess)
            let duplicate = Self.item("ada", kSecAttrAccessibleAfterFirstUnlock)
            #expect(SecItemAdd(duplicate, nil) == errSecDuplicateItem)
            let second = Self.item("grace", kSecAttrAccessibleAfterFirstUnlock)
            #expect(SecItemAdd(second, nil) == errSecSuccess)
        }
        try Self.app(in: directory).run {
            let query = Self.item("grace", kSecAttrAccessibleAfterFirstUnlock)
            #expect(SecItemCopyMatching(query, nil) == errSecSuccess)
        }
    }

    @Test func `the same holds when an update was refused`() throws {
        let directory = try Directory()
        try Self.app(in: directory).run {
            #expect(SecItemAdd(Self.item("ada", kSecAttrAccessibleWhenUnlocked), nil) == 0)
            let change: NSDictionary = [
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccount: "grace",
            ]
            let query = Self.item("ada", kSecAttrAccessibleWhenUnlocked)
            #expect(SecItemUpdate(query, change) == errSecParam)
            let second = Self.item("grace", kSecAttrAccessibleAfterFirstUnlock)
            #expect(SecItemAdd(second, nil) == errSecSuccess)
        }
        try Self.app(in: directory).run {
            let query = Self.item("grace", kSecAttrAccessibleAfterFirstUnlock)
            #expect(SecItemCopyMatching(query, nil) == errSecSuccess)
        }
    }
}
