/// A request that systemd makes on a socket: the unit that it starts, and a credential's name.
///
/// The address of systemd's end of the connection contains both. It is a zero byte followed by text
/// such as `5d73b8975f74b662/unit/shop.service/db-password`.
/// - Source: systemd.exec(5), LoadCredential=.
struct CredentialRequest: Equatable {
    let unit: String
    let credential: String

    /// Reads the address; nil if it does not have systemd's form.
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

    /// Whether the word is not empty and all of it is ASCII from `first` to `~`.
    ///
    /// The name of a credential may contain spaces.
    private static func isName(_ word: Substring, from first: UnicodeScalar) -> Bool {
        !word.isEmpty && word.unicodeScalars.allSatisfy { (first..."~").contains($0) }
    }
}
