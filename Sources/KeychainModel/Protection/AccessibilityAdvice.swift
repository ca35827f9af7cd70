// ★ Table: which accessibility fits which use, and the rule behind it.

/// What a secret needs of its accessibility.
///
/// - Source: requirements ACC-32 and ACC-33.
package struct AccessNeeds: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Read by code that runs while the device is locked.
    package static let background = AccessNeeds(rawValue: 1)
    /// Comes along to a new device in a backup.
    package static let migration = AccessNeeds(rawValue: 2)
    /// Destroyed when the passcode is removed.
    package static let selfDestruction = AccessNeeds(rawValue: 4)
}

/// Names the most restrictive accessibility that still does what is needed.
package enum AccessibilityAdvice {
    /// A use that the guides name, and what it needs.
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

    /// The class for the needs; nil for needs that no class meets together.
    ///
    /// The Always classes are never the answer.
    package static func protection(for needs: AccessNeeds) -> ProtectionClass? {
        ProtectionClass.table.first { row in
            !row.isDeprecated
                && row.requiresPasscode == needs.contains(.selfDestruction)
                && (row.availability == .afterFirstUnlock || !needs.contains(.background))
                && (!row.isThisDeviceOnly || !needs.contains(.migration))
        }?.protectionClass
    }
}
