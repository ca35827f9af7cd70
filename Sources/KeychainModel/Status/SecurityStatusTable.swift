extension SecurityStatus {
    /// One named status: Apple's name and number, and a sentence for people.
    package struct Entry: Sendable {
        /// The C constant, such as `"errSecParam"`.
        package let name: String
        /// The number.
        package let code: Int32
        /// One sentence in plain English, never empty, different for every code.
        package let message: String

        /// A row of the table; the name is written without its common prefix.
        init(_ code: Int32, _ suffix: String, _ message: String) {
            self.name = "errSec" + suffix
            self.code = code
            self.message = message
        }
    }

    /// Every status of Apple's public headers, then the few that only Apple's logs show.
    package static let table: [Entry] = publicTable + internalRows

    /// Every status that has a public constant, each code once.
    package static let publicTable: [Entry] =
        keychainRows + trustRows + moduleRows + contextRows + policyRows

    /// The C constant of a code, such as `"errSecParam"`, or nil for a code without one.
    package static func name(of status: SecurityStatus) -> String? {
        index[status]?.name
    }

    /// The sentence that explains a code, or nil for a code without a name.
    package static func message(of status: SecurityStatus) -> String? {
        index[status]?.message
    }

    /// The C constant of this code; `OSStatus` for a code without one.
    package var name: String { Self.name(of: self) ?? "OSStatus" }

    private static let index: [SecurityStatus: Entry] = Dictionary(
        table.map { (SecurityStatus(rawValue: $0.code), $0) },
        uniquingKeysWith: { first, _ in first }
    )
}

extension SecurityStatus: CustomStringConvertible {
    /// Name and number, such as `errSecParam (-50)`.
    package var description: String { "\(name) (\(rawValue))" }
}
