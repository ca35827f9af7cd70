/// An item as AutoFill looks at it: attributes only, and no secret.
package struct AutoFillCandidate: Hashable, Sendable {
    /// Whether it is an internet password; AutoFill offers nothing else.
    package var isInternetPassword = true
    /// As `kSecAttrServer` has it.
    package var server: String
    /// Four letters; nil for none.
    package var protocolName: String?
    /// nil or 0 for the protocol's own.
    package var port: UInt16?
    /// As `kSecAttrPath` has it.
    package var path = ""
    package var account: String
    /// Four letters, as `kSecAttrAuthenticationType` has them; nil for unknown.
    package var authenticationType: String?
    /// Whether `kSecAttrIsNegative` is set.
    package var isNegative = false
    /// Whether its secret can be read now.
    package var isReachable = true
    /// Seconds since 2001.
    package var modified: Double = 0
    /// Names the item for whoever reads the secret.
    package var reference: [UInt8] = []

    package init(server: String, protocolName: String? = nil, account: String) {
        self.server = server
        self.protocolName = protocolName
        self.account = account
    }
}

/// An item that may be filled in.
package struct AutoFillMatch: Hashable, Sendable {
    /// How near its server is to the page.
    package enum Closeness: Int, Sendable, Comparable {
        /// The same host.
        case exactHost
        /// Another host of the same registered domain; browsers offer it and wait for a click.
        case sameDomain

        package static func < (left: Closeness, right: Closeness) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    package let candidate: AutoFillCandidate
    package let closeness: Closeness
}

/// An item that may not be filled in, and why.
package struct AutoFillDenial: Hashable, Sendable {
    package let candidate: AutoFillCandidate
    package let reason: AutoFillRefusal

    package init(candidate: AutoFillCandidate, reason: AutoFillRefusal) {
        self.candidate = candidate
        self.reason = reason
    }
}

/// What AutoFill offers for a page or to an app.
package struct AutoFillAnswer: Hashable, Sendable {
    /// The best first.
    package var matches: [AutoFillMatch] = []
    package var denials: [AutoFillDenial] = []
    /// Whether the device is locked and hides items whose server nobody can read.
    package var hidesItems = false
    /// Why nothing is offered; nil if something is.
    package var reason: AutoFillRefusal? {
        guard matches.isEmpty else { return nil }
        if hidesItems, ownReason == nil { return .locked }
        return ownReason ?? denials.map(\.reason).filter { $0.nearness > 0 }
            .max { $0.nearness < $1.nearness } ?? .noItem
    }
    /// A reason that comes before every item's: the page's or the app's own.
    var ownReason: AutoFillRefusal?

    package init() {}

    /// The answer where the page or the app itself is the reason.
    package init(refusing reason: AutoFillRefusal) { ownReason = reason }
}
