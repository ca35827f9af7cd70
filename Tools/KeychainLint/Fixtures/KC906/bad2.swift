import Security
import AppCore
import UIKit

final class HomeController: UIViewController {
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard let session = SessionStore.shared.currentSession() else { return }  // expect
        title = session.name
    }
}
final class SessionStore {
    static let shared = SessionStore()
    func currentSession() -> Session? { try? fetch("session") }
    private func fetch(_ account: String) throws -> Session? {
        var out: CFTypeRef?
        let status = SecItemCopyMatching(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: account,
                kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne,
            ] as CFDictionary,
            &out
        )
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let d = out as? Data else { throw E(status) }
        return Session(d)
    }
}
