import Foundation
import Testing

/// The blocks of the guides, which are the work of others and no part of this repository.
///
/// `KEYCHAIN_GUIDE_BLOCKS` names the directory that holds them as 001.swift to 051.swift.
enum GuideBlocks {
    static let folder = ProcessInfo.processInfo.environment["KEYCHAIN_GUIDE_BLOCKS"]
    static let skipped: Comment =
        "SKIPPED: set KEYCHAIN_GUIDE_BLOCKS to the directory of the 51 blocks"

    static func text(_ number: String) throws -> String {
        let folder = try #require(folder)
        return try String(contentsOfFile: "\(folder)/\(number).swift", encoding: .utf8)
    }

    /// The imports that the migration guide leaves out.
    static let imports = """
        import Foundation
        import Security
        import SwiftUI
        import UIKit
        import os

        """

    /// The names that the migration guide's blocks use and do not declare.
    static let rest =
        imports + """
            enum KeychainError: Error { case itemNotFound, status(OSStatus) }

            func keychainQuery(_ service: String, _ account: String) -> [String: Any] {
                [
                    kSecClass as String: kSecClassGenericPassword,
                    kSecAttrService as String: service,
                    kSecAttrAccount as String: account,
                ]
            }

            func keychainSave(
                _ data: Data,
                service: String,
                account: String,
                accessible: CFString = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            ) throws {
                var item = keychainQuery(service, account)
                item[kSecValueData as String] = data
                item[kSecAttrAccessible as String] = accessible
                let status = SecItemAdd(item as CFDictionary, nil)
                guard status == errSecSuccess else { throw KeychainError.status(status) }
            }

            func keychainRead(service: String, account: String) throws -> Data {
                var query = keychainQuery(service, account)
                query[kSecReturnData as String] = true
                var result: CFTypeRef?
                let status = SecItemCopyMatching(query as CFDictionary, &result)
                guard status == errSecSuccess, let data = result as? Data else {
                    throw KeychainError.status(status)
                }
                return data
            }

            func keychainDelete(service: String, account: String) throws {
                let status = SecItemDelete(keychainQuery(service, account) as CFDictionary)
                guard status == errSecSuccess else { throw KeychainError.status(status) }
            }

            actor KeychainManager: MigrationKeychainProtocol {
                static let shared = KeychainManager()

                func save(
                    _ data: Data, service: String, account: String, accessible: CFString
                ) throws {
                    try keychainSave(
                        data, service: service, account: account, accessible: accessible)
                }
                func read(service: String, account: String) throws -> Data {
                    try keychainRead(service: service, account: account)
                }
                func delete(service: String, account: String) throws {
                    try keychainDelete(service: service, account: account)
                }
                func deleteAll() { SecItemDelete([kSecClass: kSecClassKey] as NSDictionary) }
            }

            final class LegacySession: NSObject, NSSecureCoding {
                struct Modern: Codable { var user: String }
                static var supportsSecureCoding: Bool { true }
                override init() {}
                init?(coder: NSCoder) {}
                func encode(with coder: NSCoder) {}
                func toModernSession() -> Modern { Modern(user: "ada") }
            }

            struct ContentView: View { var body: some View { Text("app") } }

            """
}
