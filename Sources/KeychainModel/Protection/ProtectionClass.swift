// ★ Table: the seven protection classes.

/// The protection class of an item: it determines when its key is in memory, and what binds it.
///
/// Raw values are the class numbers of the item and keybag formats.
/// - Source: requirements ACC-04 to ACC-18; Documentation/Spec/keybag.md §2.
package enum ProtectionClass: UInt8, CaseIterable, Sendable, Hashable {
    case whenUnlocked = 6
    case afterFirstUnlock = 7
    case always = 8
    case whenUnlockedThisDeviceOnly = 9
    case afterFirstUnlockThisDeviceOnly = 10
    case alwaysThisDeviceOnly = 11
    case whenPasscodeSetThisDeviceOnly = 12

    /// The times at which a class key is in memory.
    package enum Availability: Sendable, Hashable {
        case whenUnlocked, afterFirstUnlock, always
    }

    /// One row of the table.
    package struct Row: Sendable {
        package let protectionClass: ProtectionClass
        /// The value of `kSecAttrAccessible`.
        package let code: String
        package let constant: String
        package let availability: Availability
        package let isThisDeviceOnly: Bool
        package let requiresPasscode: Bool
        package let isDeprecated: Bool
    }

    /// The table, most restrictive first (ACC-16).
    package static let table: [Row] = [
        .init(
            .whenPasscodeSetThisDeviceOnly,
            "akpu",
            "WhenPasscodeSetThisDeviceOnly",
            .whenUnlocked,
            [.thisDeviceOnly, .passcode]
        ),
        .init(
            .whenUnlockedThisDeviceOnly,
            "aku",
            "WhenUnlockedThisDeviceOnly",
            .whenUnlocked,
            [.thisDeviceOnly]
        ),
        .init(
            .whenUnlocked,
            "ak",
            "WhenUnlocked",
            .whenUnlocked,
            []
        ),
        .init(
            .afterFirstUnlockThisDeviceOnly,
            "cku",
            "AfterFirstUnlockThisDeviceOnly",
            .afterFirstUnlock,
            [.thisDeviceOnly]
        ),
        .init(
            .afterFirstUnlock,
            "ck",
            "AfterFirstUnlock",
            .afterFirstUnlock,
            []
        ),
        .init(
            .alwaysThisDeviceOnly,
            "dku",
            "AlwaysThisDeviceOnly",
            .always,
            [.thisDeviceOnly, .deprecated]
        ),
        .init(
            .always,
            "dk",
            "Always",
            .always,
            [.deprecated]
        ),
    ]

    private static let byClass = Dictionary(
        uniqueKeysWithValues: table.map { ($0.protectionClass, $0) }
    )
    private static let byCode = Dictionary(
        uniqueKeysWithValues: table.map { ($0.code, $0.protectionClass) }
    )

    /// Creates the class with a `kSecAttrAccessible` value such as `ak`; nil for any other text.
    package init?(code: String) {
        guard let found = Self.byCode[code] else { return nil }
        self = found
    }

    /// The row of this class; a test checks that every class has one.
    package var row: Row { Self.byClass[self] ?? Self.table[0] }

    /// The value of `kSecAttrAccessible`, such as `ak`.
    package var code: String { row.code }

    /// Apple's constant without its prefix, such as `WhenUnlocked`.
    package var name: String { String(row.constant.dropFirst("kSecAttrAccessible".count)) }

    /// The times at which the class key is in memory.
    package var availability: Availability { row.availability }

    /// Whether items of the class stay on the device that made them.
    package var isThisDeviceOnly: Bool { row.isThisDeviceOnly }

    /// Whether the class exists only while a passcode is set.
    package var requiresPasscode: Bool { row.requiresPasscode }

    /// The position in the order of restrictiveness; 0 is the most restrictive.
    package var restrictiveness: Int {
        Self.table.firstIndex { $0.protectionClass == self } ?? 0
    }
}

extension ProtectionClass.Row {
    fileprivate struct Traits: OptionSet {
        let rawValue: UInt8
        static let thisDeviceOnly = Traits(rawValue: 1)
        static let passcode = Traits(rawValue: 2)
        static let deprecated = Traits(rawValue: 4)
    }

    fileprivate init(
        _ protectionClass: ProtectionClass,
        _ code: String,
        _ constantSuffix: String,
        _ availability: ProtectionClass.Availability,
        _ traits: Traits
    ) {
        self.init(
            protectionClass: protectionClass,
            code: code,
            constant: "kSecAttrAccessible" + constantSuffix,
            availability: availability,
            isThisDeviceOnly: traits.contains(.thisDeviceOnly),
            requiresPasscode: traits.contains(.passcode),
            isDeprecated: traits.contains(.deprecated)
        )
    }
}
