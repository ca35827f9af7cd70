import Security
import SwiftUI

@main struct Main: App {
    init() { SecretIndex.shared.load() }
    var body: some Scene { WindowGroup { Text("") } }
}
final class SecretIndex {
    static let shared = SecretIndex()
    var all: [String: Data] = [:]
    func load() {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
            kSecReturnData as String: true,
        ]
        var out: CFTypeRef?
        guard SecItemCopyMatching(query as CFDictionary, &out) == errSecSuccess else { return }  // expect
    }
}
