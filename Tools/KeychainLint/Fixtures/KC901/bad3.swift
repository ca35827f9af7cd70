import Foundation

enum Keys { static let secret = "app.client_secret" }
final class API {
    let defaults = UserDefaults.standard
    lazy var token: String = defaults.string(forKey: Keys.secret) ?? ""  // expect
}
