import Foundation

struct Settings: Codable {
    var theme: String
    var hasPassword: Bool
    var tokenCount: Int
}

extension Settings {
    func store(at url: URL) throws { try JSONEncoder().encode(self).write(to: url) }
}

struct Session: Codable {
    var accessToken: String
}

func backup(_ session: Session, to url: URL, under key: SymmetricKey) throws {
    let plain = try JSONEncoder().encode(session)
    let sealed = try AES.GCM.seal(plain, using: key)
    try sealed.combined?.write(to: url)
}

func send(_ session: Session) throws -> Data { try JSONEncoder().encode(session) }
