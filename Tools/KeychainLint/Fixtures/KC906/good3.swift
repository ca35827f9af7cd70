import SwiftUI
import UIKit
struct Home: View {
    @State private var token: String?
    var body: some View { Text(title).task { token = try? await Store().token() } }
    private var title: String { token == nil ? "in" : "out" }
}
final class LoginController: UIViewController {
    @IBAction func login(_ sender: UIButton) { Task { try? await Store().token() } }
}
actor Store {
    func token() throws -> String? {
        var result: CFTypeRef?
        let status = SecItemCopyMatching(
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "s", kSecAttrAccount: "a", kSecReturnData: true] as CFDictionary,
            &result)
        switch status {
        case errSecSuccess: return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
        case errSecItemNotFound: return nil
        default: throw Failure.status(status)
        }
    }
}
enum Failure: Error { case status(OSStatus) }
