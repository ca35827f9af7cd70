import Foundation
import KeychainMigration

/// The move of a token from a settings file into the keychain.
struct TokenMove {
    let settings: URL
    let folder: URL
    let token = ItemAddress.genericPassword(service: "api", account: "token")
}
