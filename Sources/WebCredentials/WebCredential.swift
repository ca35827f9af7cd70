import KeychainMessages
import KeychainModel
import PlaintextFormats
import Secrets

/// An internet password as a credential of the web.
package struct WebCredential {
    /// As the keychain has it.
    let attributes: AttributeValues
    /// Names the item.
    let reference: [UInt8]
    /// Whether the lock state keeps the secret out of reach.
    let isLocked: Bool

    init?(_ item: ItemDictionary) {
        guard let reference = item.persistentReference else { return nil }
        attributes = item.attributes
        self.reference = reference
        isLocked = false
    }

    /// One whose secret is out of reach for now, and whose attributes are readable.
    init(_ item: OutOfReachItem) {
        attributes = item.attributes
        reference = item.persistentReference
        isLocked = item.obstacle == .lockState
    }

    package var account: String { text(.account) ?? "" }

    /// The account in its own bytes, which need not be text.
    package var accountName: ItemName { ItemName(attributes[.account]) }

    package var server: String { text(.server) ?? "" }

    /// Four letters; nil for any.
    package var protocolName: String? { text(.protocolName) }

    /// Without slashes at its ends; in its own bytes, which need not be text.
    package var path: ItemName { ItemName(attributes[.path]).withoutOuterSlashes }

    /// The port, unless it is none or the protocol's own.
    package func port(for protocolName: String) -> UInt16? {
        guard case .number(let number)? = attributes[.port], number != 0,
            let port = UInt16(exactly: number),
            port != ProtocolName.defaultPort(ofLetters: protocolName)
        else { return nil }
        return port
    }

    /// Seconds since 2001; the newer of two equally good ones is given.
    var modified: Double {
        guard case .date(let seconds)? = attributes[.modificationDate] else { return 0 }
        return seconds
    }

    package var notes: CredentialNotes { CredentialNotes(comment: text(.comment) ?? "") }

    /// Whether git stored it, or had it in a file of its own.
    package var isGits: Bool { attributes[.creator] == .number(Self.gitCreator) }

    /// The creator of what git stores: `git `, as four letters.
    package static let gitCreator: Int64 = 0x6769_7420

    /// The item as one that stayed closed.
    package func outOfReach(_ error: KeychainError) -> OutOfReachItem {
        OutOfReachItem(
            .internetPassword,
            .accessControl,
            attributes: attributes,
            persistentReference: reference,
            error: error
        )
    }

    func text(_ attribute: Attribute) -> String? {
        switch attributes[attribute] {
        case .string(let text)?: text.isEmpty ? nil : text
        case .data(let bytes)?: String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }
}

/// What a credential's comment says to programs: lines of `key=value` among a person's own.
package struct CredentialNotes {
    private static let expiryKey = "password_expiry_utc="
    private static let schemeKey = "authtype="

    private var foreign: [Substring]
    /// The registry as docker spells it.
    package var dockerServer: String?
    /// When the password ends, in seconds since 1970.
    package var expiry: UInt64?
    /// The authentication scheme, where the secret is its parameter and no password.
    package var authenticationScheme: String?

    init(comment: String) {
        foreign = []
        for line in comment.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(Self.expiryKey) {
                expiry = UInt64(line.dropFirst(Self.expiryKey.count))
            } else if line.hasPrefix(Self.schemeKey) {
                authenticationScheme = String(line.dropFirst(Self.schemeKey.count))
            } else if line.hasPrefix(DockerNote.key) {
                dockerServer = String(line.dropFirst(DockerNote.key.count))
            } else if !line.isEmpty {
                foreign.append(line)
            }
        }
    }

    /// The comment with all of it.
    var comment: String {
        let own = [
            expiry.map { Self.expiryKey + "\($0)" },
            authenticationScheme.map { Self.schemeKey + $0 },
            dockerServer.map { DockerNote.key + $0 },
        ]
        return (foreign.map(String.init) + own.compactMap { $0 }).joined(separator: "\n")
    }
}
