import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// A certificate of the keychain.
struct FoundCertificate {
    let item: ItemDictionary
    let der: [UInt8]
    /// nil when the bytes are no certificate.
    let certificate: Certificate?

    init(_ item: ItemDictionary) {
        der = item.data?.secret.copyBytesUnprotected() ?? []
        certificate = try? Certificate(der: der)
        var item = item
        item.data = nil
        self.item = item
    }

    /// What tells it from every other certificate of the caller's.
    var identity: [AttributeValue?] { Self.identity(of: item.attributes) }

    /// The attributes by which an identity names its certificate.
    static func identity(of attributes: AttributeValues) -> [AttributeValue?] {
        [.issuer, .serialNumber, .publicKeyHash, .accessGroup, .synchronizable]
            .map { attributes[$0] }
    }

    /// The subject as the certificate and macOS's find-identity write it, else the label.
    var name: String { certificate?.subjectSummary ?? item.text(.label) ?? "" }

    /// SHA-256 and SHA-1 of the bytes in capital hexadecimal digits.
    func hashes() throws(CommandFailure) -> (sha256: String, sha1: String) {
        do throws(CryptographyError) {
            return (
                ByteRule.hex.text(of: try Digest.sha256(der)).uppercased(),
                ByteRule.hex.text(of: try Digest.sha1(der)).uppercased()
            )
        } catch {
            throw .keychain(KeychainError(error))
        }
    }

    /// The certificate as a block of PEM.
    var pem: String { ByteRule.pem("CERTIFICATE").text(of: der) }

    /// The item under names that speak, and what the certificate says.
    func json() throws(CommandFailure) -> [String: JSONValue] {
        var members = ItemJSON.object(item, .certificate)
        let hashes = try hashes()
        members["sha256"] = .text(hashes.sha256)
        members["sha1"] = .text(hashes.sha1)
        guard let certificate else { return members }
        members["subjectSummary"] = certificate.subjectSummary.map(JSONValue.text)
        members["emailAddresses"] = .list(certificate.emailAddresses.map(JSONValue.text))
        members["notBefore"] = Self.moment(certificate.notBefore)
        members["notAfter"] = Self.moment(certificate.notAfter)
        return members
    }

    private static func moment(_ seconds: Int64) -> JSONValue? {
        Timestamp(secondsSinceReference: Double(seconds)).map { .text($0.extended) }
    }
}

extension CommandContext {
    /// Every certificate that a filter admits, in the order in which they were added.
    func certificates(
        where filter: AttributeDictionary = [:],
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [FoundCertificate] {
        let listing = try listing(of: .certificate, where: filter, returning: [.returnData])
        for item in listing.outOfReach { reach.add(item) }
        return listing.items.map(FoundCertificate.init)
    }
}
