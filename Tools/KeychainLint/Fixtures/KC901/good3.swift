import Foundation
enum Keys: String { case tokenExpiry, passwordHint }
final class Settings {
    private let defaults: UserDefaults = .standard
    var expiry: Date? { defaults.object(forKey: Keys.tokenExpiry.rawValue) as? Date }
    var hint: String? { defaults.string(forKey: Keys.passwordHint.rawValue) }
}
