import Foundation
import KeychainMigration

/// What an old version of an app kept in an archive, under another name.
final class Session: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    static let archivedName = "MyOldBankingApp.Legacy.Session"

    let user: String
    let token: String

    init(user: String, token: String) {
        self.user = user
        self.token = token
    }

    /// This version has no use for the old way of decoding.
    required init?(coder: NSCoder) { nil }

    struct Unreadable: Error {}

    /// Makes a session of what an archive holds of it.
    static let maker: @Sendable (ArchivedObject) throws -> Any = { object in
        guard let user = object.text("user"), let token = object.text("token") else {
            throw Unreadable()
        }
        return Session(user: user, token: token)
    }

    func encode(with coder: NSCoder) {
        coder.encode(user as NSString, forKey: "user")
        coder.encode(token as NSString, forKey: "token")
    }

    /// The archive of an object, with the class under its old name.
    ///
    /// Foundation on Linux writes the present name whatever it is told, so the bytes of the name
    /// are replaced by as many others.
    static func archive(_ root: Any) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let present = Data("KeychainMigrationTests.Session".utf8)
        var bytes = archiver.encodedData
        while let range = bytes.range(of: present) {
            bytes.replaceSubrange(range, with: Data(archivedName.utf8))
        }
        return bytes
    }
}
