import Security
import UIKit

final class ProfileViewController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        label.text = Session.current()?.name  // expect
    }
    let label = UILabel()
}
enum Session {
    static func current() -> (name: String, token: Data)? {
        var item: CFTypeRef?
        let status = SecItemCopyMatching(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
                kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne,
            ] as CFDictionary,
            &item
        )
        guard status == errSecSuccess, let data = item as? Data else { return nil }
        return ("x", data)
    }
}
