/// What an app keeps of a signed-in user.
struct Session: Codable, Hashable, Sendable {
    let token: String
    let server: Int
}
