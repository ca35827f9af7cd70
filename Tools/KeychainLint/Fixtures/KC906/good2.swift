import Security
import UIKit

final class ProfileViewController: UIViewController {
    private let label = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        Task { label.text = await SessionReader.current() }
        DispatchQueue.global().async { _ = BlockingReader.find() }
    }
}

enum SessionReader {
    static func current() async -> String? { BlockingReader.find() }
}

enum BlockingReader {
    static func find() -> String? {
        var item: CFTypeRef?
        let status = SecItemCopyMatching(
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t",
                kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne,
            ] as CFDictionary,
            &item
        )
        switch status {
        case errSecSuccess: return (item as? Data).map { String(decoding: $0, as: UTF8.self) }
        case errSecItemNotFound: return nil
        default:
            log(status)
            return nil
        }
    }
}
