func refreshToken() async throws {
    let token = try await api.refresh()
    try keychain.delete("token")
    try keychain.save(token, for: "token")  // expect
}
