import SwiftUI
struct Home: View {
    var body: some View { Text(token ?? "none") }  // expect
    private var token: String? { KeychainStore.shared.string(for: "token") }
}
final class KeychainStore { static let shared = KeychainStore()
  func string(for key: String) -> String? {
    var r: CFTypeRef?
    guard SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: key, kSecReturnData: true] as CFDictionary, &r) == errSecSuccess else { return nil }
    return (r as? Data).map { String(decoding: $0, as: UTF8.self) } } }
