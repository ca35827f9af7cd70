import UIKit
class LoginViewController: UITableViewController {
    @IBAction func login(_ sender: UIButton) { session = Account.current() }  // expect
    var session: Data?
}
enum Account { static func current() -> Data? { Storage.load("session") } }
enum Storage { static func load(_ k: String) -> Data? {
    var r: AnyObject?
    let s = SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecAttrService: "x", kSecAttrAccount: k, kSecReturnData: true] as CFDictionary, &r)
    return s == errSecSuccess ? r as? Data : nil } }
