import Cryptography
import KeyRepresentation
import Secrets

/// The content of a file to import, without duplicates, in the file's order.
struct ImportedContents: Sendable {
    /// One half of a key pair.
    struct Key: Sendable {
        let material: KeyReference.Material
        /// The name of the key in the file.
        let name: String?
    }

    private(set) var keys: [Key] = []
    private(set) var certificates: [Certificate] = []
    /// The name of each certificate in the file.
    private(set) var certificateNames: [String?] = []
    /// The labels of blocks that contain neither keys nor certificates.
    private(set) var passedOver: [String] = []
    /// The bytes of a symmetric key.
    var sessionKey: SharedSecret?

    var isEmpty: Bool { keys.isEmpty && certificates.isEmpty && sessionKey == nil }

    /// Adds a key, unless it is present already.
    mutating func add(_ key: Key) {
        let reference = KeyReference(key.material)
        let isKnown = keys.contains { other in
            let other = KeyReference(other.material)
            return other.isPrivate == reference.isPrivate && other.publicKey == reference.publicKey
        }
        if !isKnown { keys.append(key) }
    }

    /// Adds a private key, unless it is present already.
    mutating func add(_ key: PrivateKey, name: String? = nil) {
        add(Key(material: .privateKey(key), name: name))
    }

    /// Adds a certificate, unless it is present already.
    mutating func add(_ certificate: Certificate, name: String? = nil) {
        guard !certificates.contains(certificate) else { return }
        certificates.append(certificate)
        certificateNames.append(name)
    }

    /// Adds everything in a PKCS#12 file.
    mutating func add(_ archive: PKCS12Archive) {
        for entry in archive.keys { add(entry.privateKey, name: entry.friendlyName) }
        for entry in archive.certificates { add(entry.certificate, name: entry.friendlyName) }
    }

    /// Records the label of a block that the import ignores.
    mutating func passOver(_ label: String) { passedOver.append(label) }
}
