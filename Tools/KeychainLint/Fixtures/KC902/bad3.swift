import Foundation

struct TokenCache: Codable { var accessToken: String; var refreshToken: String }
extension TokenCache {
    static var url: URL {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)[0]
            .appendingPathComponent("session.json")
    }
    func store() throws { try JSONEncoder().encode(self).write(to: Self.url) }  // expect
}
