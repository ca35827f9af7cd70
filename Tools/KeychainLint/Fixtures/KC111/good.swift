import Foundation

/// The same words in a dictionary that reaches no keychain.
func record(service: String, account: String) -> [String: Any] {
    ["svce": service, "acct": account, "class": "genp"]
}
