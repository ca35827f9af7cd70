import KeychainMessages
import KeychainModel
import PlaintextFormats
import Secrets

/// An internet password as a web credential.
package struct WebCredential {
    /// The attributes of the item.
    let attributes: AttributeValues
    /// The persistent reference of the item.
    let reference: [UInt8]
    /// Whether the lock state makes the secret unreadable.
    let isLocked: Bool

    init?(_ item: ItemDictionary) {
        guard let reference = item.persistentReference else { return nil }
        attributes = item.attributes
        self.reference = reference
        isLocked = false
    }

    /// Describes a credential with readable attributes, whose secret is unreadable now.
    init(_ item: OutOfReachItem) {
        attributes = item.attributes
        reference = item.persistentReference
        isLocked = item.obstacle == .lockState
    }

    package var account: String { text(.account) ?? "" }

    /// The account in its own bytes, which need not be text.
    package var accountName: ItemName { ItemName(attributes[.account]) }

    package var server: String { text(.server) ?? "" }

    /// The protocol's four letters; nil for any protocol.
    package var protocolName: String? { text(.protocolName) }

    /// Without slashes at its ends; in its own bytes, which need not be text.
    package var path: ItemName { ItemName(attributes[.path]).withoutOuterSlashes }

    /// Returns the port; nil if there is none, or if it is the protocol's default.
    package func port(for protocolName: String) -> UInt16? {
        guard case .number(let number)? = attributes[.port], number != 0,
            let port = UInt16(exactly: number),
            port != ProtocolName.defaultPort(ofLetters: protocolName)
        else { return nil }
        return port
    }

    /// The date of modification in seconds since 2001; the newer of two equal matches wins.
    var modified: Double {
        guard case .date(let seconds)? = attributes[.modificationDate] else { return 0 }
        return seconds
    }

    package var notes: CredentialNotes { CredentialNotes(comment: text(.comment) ?? "") }

    /// Whether git stored the credential, or had it in one of its files.
    package var isGits: Bool { attributes[.creator] == .number(Self.gitCreator) }

    /// The creator of git's items: `git ` as four letters.
    package static let gitCreator: Int64 = 0x6769_7420

    /// Returns the item as one that did not open.
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

/// Notes for programs in a credential's comment: lines of `key=value` among the user's own.
package struct CredentialNotes {
    private static let expiryKey = "password_expiry_utc="
    private static let schemeKey = "authtype="

    private var foreign: [Substring]
    /// The registry in docker's spelling.
    package var dockerServer: String?
    /// The time at which the password expires, in seconds since 1970.
    package var expiry: UInt64?
    /// The authentication scheme, if the secret is its parameter instead of a password.
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

    /// The whole comment, including the user's lines.
    var comment: String {
        let own = [
            expiry.map { Self.expiryKey + "\($0)" },
            authenticationScheme.map { Self.schemeKey + $0 },
            dockerServer.map { DockerNote.key + $0 },
        ]
        return (foreign.map(String.init) + own.compactMap { $0 }).joined(separator: "\n")
    }
}
