/// What systemd asks a socket for: the unit that it starts, and the name of the credential.
///
/// Both stand in the address that systemd gives its end of the connection: a zero byte, then such
/// as `5d73b8975f74b662/unit/shop.service/db-password`.
/// - Source: systemd.exec(5), LoadCredential=.
struct CredentialRequest: Equatable {
    let unit: String
    let credential: String

    /// nil for an address that systemd does not make.
    init?(peerName: [UInt8]) {
        guard peerName.first == 0,
            let text = String(validating: peerName.dropFirst(), as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, Self.isNumber(parts[0]), parts[1] == "unit",
            Self.isName(parts[2], from: "!"), parts[2].contains("."),
            Self.isName(parts[3], from: " ")
        else { return nil }
        unit = String(parts[2])
        credential = String(parts[3])
    }

    private static func isNumber(_ word: Substring) -> Bool {
        !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    /// Not empty, and of printable ASCII; the name of a credential may contain spaces.
    private static func isName(_ word: Substring, from first: UnicodeScalar) -> Bool {
        !word.isEmpty && word.unicodeScalars.allSatisfy { (first..."~").contains($0) }
    }
}
