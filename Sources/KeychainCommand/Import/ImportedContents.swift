import Cryptography
import KeyRepresentation
import Secrets

/// What a file to import holds; everything once, in the file's order.
struct ImportedContents: Sendable {
    /// One half of a key pair.
    struct Key: Sendable {
        let material: KeyReference.Material
        /// What the file calls it.
        let name: String?
    }

    private(set) var keys: [Key] = []
    private(set) var certificates: [Certificate] = []
    /// What the file calls each certificate.
    private(set) var certificateNames: [String?] = []
    /// The labels of blocks that hold neither keys nor certificates.
    private(set) var passedOver: [String] = []
    /// The bytes of a symmetric key.
    var sessionKey: SharedSecret?

    var isEmpty: Bool { keys.isEmpty && certificates.isEmpty && sessionKey == nil }

    /// Adds a key unless it is there.
    mutating func add(_ key: Key) {
        let reference = KeyReference(key.material)
        let isKnown = keys.contains { other in
            let other = KeyReference(other.material)
            return other.isPrivate == reference.isPrivate && other.publicKey == reference.publicKey
        }
        if !isKnown { keys.append(key) }
    }

    /// Adds a private key unless it is there.
    mutating func add(_ key: PrivateKey, name: String? = nil) {
        add(Key(material: .privateKey(key), name: name))
    }

    /// Adds a certificate unless it is there.
    mutating func add(_ certificate: Certificate, name: String? = nil) {
        guard !certificates.contains(certificate) else { return }
        certificates.append(certificate)
        certificateNames.append(name)
    }

    /// Adds everything that a PKCS#12 file holds.
    mutating func add(_ archive: PKCS12Archive) {
        for entry in archive.keys { add(entry.privateKey, name: entry.friendlyName) }
        for entry in archive.certificates { add(entry.certificate, name: entry.friendlyName) }
    }

    /// Notes a block that nothing is made of.
    mutating func passOver(_ label: String) { passedOver.append(label) }
}
