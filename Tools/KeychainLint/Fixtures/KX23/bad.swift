import Foundation

final class Pinning: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (.useCredential, nil)
    }
}

func load(_ url: URL) async throws -> Data {
    try await URLSession.shared.data(from: url).0  // expect
}
