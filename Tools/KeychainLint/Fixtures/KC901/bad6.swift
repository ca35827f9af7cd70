import Foundation

final class OAuth {
    private let prefs = UserDefaults(suiteName: "group.x")!
    func request() -> URLRequest {
        var r = URLRequest(url: URL(string: "https://x")!)
        let clientSecret = prefs.object(forKey: "oauth.clientSecret") as? String ?? ""  // expect
        r.setValue(clientSecret, forHTTPHeaderField: "X-Client-Secret")
        return r
    }
}
