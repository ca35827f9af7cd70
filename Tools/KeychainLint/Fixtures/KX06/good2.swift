/// Without `using:` the generator is that of the system, which is made for secrets.
func makeSessionToken() -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: 0...255) }
}

func makeNonce() -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) }
}

func refreshToken() async throws -> String {
    let jitter = Int(arc4random_uniform(500))
    try await Task.sleep(for: .milliseconds(jitter))
    return try await server.refresh()
}

func nextKeyFrame() -> Int { Int(arc4random_uniform(24)) }
