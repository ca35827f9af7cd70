// ★ Table: the synchronizable items that a system exchanges with other devices.

extension SystemProfile {
    /// One row of the table.
    package struct SynchronizationRow: Sendable {
        package let platform: Platform
        /// The first version that exchanges certificates and keys; nil if none does.
        package let allClassesSince: Int?
        /// Whether it exchanges any items.
        package let exchangesPasswords: Bool

        init(_ platform: Platform, allClassesSince version: Int?, exchangesPasswords: Bool = true) {
            self.platform = platform
            self.allClassesSince = version
            self.exchangesPasswords = exchangesPasswords
        }
    }

    /// The rows: earlier systems exchange only passwords.
    ///
    /// An Apple TV accepts the attribute and exchanges nothing. A watch exchanges the same as a
    /// phone, and has a keychain of its own.
    ///
    /// - Source: requirements SYN-03, SYN-08, GRP-23.
    package static let synchronization: [SynchronizationRow] = [
        .init(.iOS, allClassesSince: 14),
        .init(.macOS, allClassesSince: 11),
        .init(.catalyst, allClassesSince: 11),
        .init(.watchOS, allClassesSince: 7),
        .init(.tvOS, allClassesSince: nil, exchangesPasswords: false),
        .init(.iOSSimulator, allClassesSince: 0),
        .init(.host, allClassesSince: 0),
    ]

    /// Whether the system exchanges synchronizable items of a class with other devices.
    package func exchanges(_ itemClass: ItemClass) -> Bool {
        guard let row = Self.synchronization.first(where: { $0.platform == platform }) else {
            return false
        }
        switch itemClass {
        case .genericPassword, .internetPassword: return row.exchangesPasswords
        case .certificate, .key: return row.allClassesSince.map { version >= $0 } ?? false
        case .identity: return false
        }
    }
}
