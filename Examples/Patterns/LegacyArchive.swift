import Foundation
import Security

/// A session as an early version of the app archived it, in plain text.
final class LegacySession: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let user: String
    let token: String

    init(user: String, token: String) {
        self.user = user
        self.token = token
    }

    init?(coder: NSCoder) {
        guard let user = coder.decodeObject(of: NSString.self, forKey: "user"),
            let token = coder.decodeObject(of: NSString.self, forKey: "token")
        else { return nil }
        self.user = user as String
        self.token = token as String
    }

    func encode(with coder: NSCoder) {
        coder.encode(user as NSString, forKey: "user")
        coder.encode(token as NSString, forKey: "token")
    }
}

/// Moves that session into the keychain, and deletes its file after it read the item back.
///
/// The archive may contain one class only. A damaged file stays where it is, and the user signs in.
struct LegacyArchive {
    let file: URL
    let store: any SecretStore

    /// Returns the name of the user, or nil if there is no archive.
    func move() throws -> String? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let bytes = try Data(contentsOf: file)
        let archived = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: LegacySession.self,
            from: bytes
        )
        guard let session = archived else { throw CocoaError(.fileReadCorruptFile) }
        let secret = Data(session.token.utf8)
        try store.save(secret, account: session.user)
        guard try store.read(account: session.user) == secret else {
            throw KeychainError("verify", session.user, errSecDecode)
        }
        try FileManager.default.removeItem(at: file)
        return session.user
    }
}
