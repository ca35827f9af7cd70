import Foundation
enum Keys: String { case oauthClientSecret }
final class OAuth {
    private let defaults: UserDefaults = .standard
    var secret: String? { defaults.object(forKey: Keys.oauthClientSecret.rawValue) as? String }  // expect
}
