import Security
import XCTest

final class StoreTests: XCTestCase {
    private let service = UUID().uuidString

    override func tearDown() {
        SecItemDelete(
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
                as CFDictionary
        )
    }

    func testSave() {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: "ada",
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
            kSecValueData as String: Data("value".utf8),
        ]
        XCTAssertEqual(SecItemAdd(item as CFDictionary, nil), errSecSuccess)
    }
}
