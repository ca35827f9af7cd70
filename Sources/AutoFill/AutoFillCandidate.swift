/// The attributes of an item that AutoFill examines, without its secret.
package struct AutoFillCandidate: Hashable, Sendable {
    /// Whether the item is an internet password, which is the only class that AutoFill offers.
    package var isInternetPassword = true
    /// The value of `kSecAttrServer`.
    package var server: String
    /// The protocol's four letters; nil if the item has none.
    package var protocolName: String?
    /// The port; nil or 0 for the protocol's default.
    package var port: UInt16?
    /// The value of `kSecAttrPath`.
    package var path = ""
    package var account: String
    /// The four letters of `kSecAttrAuthenticationType`; nil if unknown.
    package var authenticationType: String?
    /// Whether `kSecAttrIsNegative` is set.
    package var isNegative = false
    /// Whether the secret is readable now.
    package var isReachable = true
    /// The date of modification, in seconds since 2001.
    package var modified: Double = 0
    /// The persistent reference, for reading the secret.
    package var reference: [UInt8] = []

    package init(server: String, protocolName: String? = nil, account: String) {
        self.server = server
        self.protocolName = protocolName
        self.account = account
    }
}

/// An item that AutoFill may fill in.
package struct AutoFillMatch: Hashable, Sendable {
    /// The relation of the item's server to the page.
    package enum Closeness: Int, Sendable, Comparable {
        /// The same host.
        case exactHost
        /// Another host of the same registered domain; browsers offer the item, but wait for a
        /// click.
        case sameDomain

        package static func < (left: Closeness, right: Closeness) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    package let candidate: AutoFillCandidate
    package let closeness: Closeness
}

/// An item that AutoFill does not fill in, with the reason.
package struct AutoFillDenial: Hashable, Sendable {
    package let candidate: AutoFillCandidate
    package let reason: AutoFillRefusal

    package init(candidate: AutoFillCandidate, reason: AutoFillRefusal) {
        self.candidate = candidate
        self.reason = reason
    }
}

/// AutoFill's offer for a page or to an app.
package struct AutoFillAnswer: Hashable, Sendable {
    /// The matching items, the best first.
    package var matches: [AutoFillMatch] = []
    package var denials: [AutoFillDenial] = []
    /// Whether the device is locked and hides items, so that their servers are unknown.
    package var hidesItems = false
    /// The reason why there is no offer; nil if there is one.
    package var reason: AutoFillRefusal? {
        guard matches.isEmpty else { return nil }
        if hidesItems, ownReason == nil { return .locked }
        return ownReason ?? denials.map(\.reason).filter { $0.nearness > 0 }
            .max { $0.nearness < $1.nearness } ?? .noItem
    }
    /// A reason of the page or the app itself, which precedes those of items.
    var ownReason: AutoFillRefusal?

    package init() {}

    /// Makes an answer without items, for a reason of the page or the app itself.
    package init(refusing reason: AutoFillRefusal) { ownReason = reason }
}
