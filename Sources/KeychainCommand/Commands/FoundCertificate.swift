import Cryptography
import KeyRepresentation
import KeychainModel
import Secrets

/// A certificate in the keychain.
struct FoundCertificate {
    let item: ItemDictionary
    let der: [UInt8]
    /// The parsed certificate; nil if the bytes are not a certificate.
    let certificate: Certificate?

    init(_ item: ItemDictionary) {
        der = item.data?.secret.copyBytesUnprotected() ?? []
        certificate = try? Certificate(der: der)
        var item = item
        item.data = nil
        self.item = item
    }

    /// The values that distinguish the item from the caller's other certificates.
    var identity: [AttributeValue?] { Self.identity(of: item.attributes) }

    /// Returns the attributes by which an identity names its certificate.
    static func identity(of attributes: AttributeValues) -> [AttributeValue?] {
        [.issuer, .serialNumber, .publicKeyHash, .accessGroup, .synchronizable]
            .map { attributes[$0] }
    }

    /// The certificate's subject, as macOS's find-identity writes it; else the item's label.
    var name: String { certificate?.subjectSummary ?? item.text(.label) ?? "" }

    /// Returns the SHA-256 and SHA-1 digests of the bytes, in upper-case hexadecimal.
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

    /// The certificate in PEM.
    var pem: String { ByteRule.pem("CERTIFICATE").text(of: der) }

    /// Returns the item's attributes under readable names, with facts from the certificate.
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
    /// Returns every certificate that matches a filter, in the order of addition.
    func certificates(
        where filter: AttributeDictionary = [:],
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [FoundCertificate] {
        let listing = try listing(of: .certificate, where: filter, returning: [.returnData])
        for item in listing.outOfReach { reach.add(item) }
        return listing.items.map(FoundCertificate.init)
    }
}
