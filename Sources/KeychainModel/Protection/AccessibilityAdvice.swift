// ★ Table: the accessibility for each use, and the rule behind it.

/// The demands of a secret on its accessibility.
///
/// - Source: requirements ACC-32 and ACC-33.
package struct AccessNeeds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Code reads it while the device is locked.
    package static let background = AccessNeeds(rawValue: 1)
    /// It moves to a new device in a backup.
    package static let migration = AccessNeeds(rawValue: 2)
    /// It is destroyed when the passcode is removed.
    package static let selfDestruction = AccessNeeds(rawValue: 4)
}

/// The choice of the most restrictive accessibility that meets the demands.
package enum AccessibilityAdvice {
    /// A use that the guides name, with its demands.
    package struct UseCase: Sendable, Hashable {
        package let name: String
        package let needs: AccessNeeds
    }

    package static let useCases: [UseCase] = [
        .init(name: "banking session token", needs: .selfDestruction),
        .init(name: "password manager vault key", needs: .selfDestruction),
        .init(name: "healthcare credential", needs: .selfDestruction),
        .init(name: "end-to-end encryption private key", needs: .selfDestruction),
        .init(name: "OAuth access token", needs: []),
        .init(name: "API key of an app", needs: []),
        .init(name: "cached credential", needs: []),
        .init(name: "device registration token", needs: []),
        .init(name: "push notification decryption key", needs: .background),
        .init(name: "VPN credential", needs: .background),
        .init(name: "background sync token", needs: .background),
        .init(name: "watch connectivity token", needs: .background),
        .init(name: "enterprise VPN credential", needs: [.background, .migration]),
        .init(name: "email account credential", needs: [.background, .migration]),
        .init(name: "Wi-Fi password", needs: [.background, .migration]),
    ]

    /// Returns the class for the demands; nil if no class meets all of them.
    ///
    /// It never recommends the Always classes.
    package static func protection(for needs: AccessNeeds) -> ProtectionClass? {
        ProtectionClass.table.first { row in
            !row.isDeprecated
                && row.requiresPasscode == needs.contains(.selfDestruction)
                && (row.availability == .afterFirstUnlock || !needs.contains(.background))
                && (!row.isThisDeviceOnly || !needs.contains(.migration))
        }?.protectionClass
    }
}
