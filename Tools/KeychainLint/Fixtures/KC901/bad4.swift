import Foundation

struct OAuthClient {
    func credentials() -> (String, String)? {
        let all = UserDefaults.standard.dictionaryRepresentation()
        guard let id = all["clientId"] as? String, let secret = all["clientSecret"] as? String  // expect
        else { return nil }
        return (id, secret)
    }
}
