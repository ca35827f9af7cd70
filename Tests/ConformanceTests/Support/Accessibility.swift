import Security
import Testing

/// ★ The seven accessibility values with what a test expects of each.
struct Accessibility: Sendable, Hashable, CustomTestStringConvertible {
    /// When an item can be read.
    enum Availability: Sendable, Hashable { case whileUnlocked, afterFirstUnlock, always }

    /// The value of `kSecAttrAccessible`.
    let value: String
    let testDescription: String
    let availability: Availability
    let isThisDeviceOnly: Bool

    private init(
        _ value: String,
        _ name: String,
        _ availability: Availability,
        thisDeviceOnly: Bool
    ) {
        self.value = value
        self.testDescription = name
        self.availability = availability
        self.isThisDeviceOnly = thisDeviceOnly
    }

    static let whenPasscodeSet = Accessibility(
        "akpu",
        "WhenPasscodeSetThisDeviceOnly",
        .whileUnlocked,
        thisDeviceOnly: true
    )

    /// The four that are neither deprecated nor bound to the passcode.
    static let usual = [
        Accessibility(
            "aku",
            "WhenUnlockedThisDeviceOnly",
            .whileUnlocked,
            thisDeviceOnly: true
        ),
        Accessibility("ak", "WhenUnlocked", .whileUnlocked, thisDeviceOnly: false),
        Accessibility(
            "cku",
            "AfterFirstUnlockThisDeviceOnly",
            .afterFirstUnlock,
            thisDeviceOnly: true
        ),
        Accessibility("ck", "AfterFirstUnlock", .afterFirstUnlock, thisDeviceOnly: false),
    ]

    static let deprecated = [
        Accessibility("dku", "AlwaysThisDeviceOnly", .always, thisDeviceOnly: true),
        Accessibility("dk", "Always", .always, thisDeviceOnly: false),
    ]

    /// All seven, most restrictive first.
    static let all = [whenPasscodeSet] + usual + deprecated

    /// What reading an item with this accessibility returns when that device state allows it.
    func reading(whenAvailable open: Set<Availability>) -> Reading {
        open.contains(availability) ? .value : .notAllowed
    }

    /// A password of its own for each accessibility.
    var password: Password { Password(account: value) }
}
