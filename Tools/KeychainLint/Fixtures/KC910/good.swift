func refreshToken() async throws {
    let token = try await api.refresh()
    try keychain.save(token, for: "token")
}
