/// The rules for a TLS server's certificate on Apple's platforms, besides those of the standards.
///
/// They apply to the whole chain, from the server's certificate to its anchor.
///
/// - Source: Apple's "Requirements for trusted certificates in iOS 13 and macOS 10.15" (103769) and
///   "About upcoming limits on trusted certificates" (102028); for roots that came with the system,
///   for earlier certificates and for the tolerance of one hour, the published Security source.
struct TLSServerRules {
    /// The certificates from the server's to the anchor, or as far as they could be followed.
    let chain: [Certificate]

    /// The roots of this system.
    let systemAnchors: SystemAnchors

    /// Returns the most serious violation of a rule.
    ///
    /// - Throws: `backend` if the check itself cannot be performed.
    func failure() throws(CryptographyError) -> TrustFailure? {
        if let small = chain.firstIndex(where: { $0.handle?.hasSmallKey == true }) {
            return TrustFailure(.weakKey, depth: small)
        }
        guard let leaf = chain.first, let anchor = chain.last else { return nil }
        guard try systemAnchors.contain(anchor) else {
            return Self.failure(of: leaf, since: Day.july2019, longest: Self.longest(825))
        }
        guard systemAnchors.isAdded(anchor) else {
            return Self.failure(of: leaf, since: .min, longest: Self.longest(leaf))
        }
        // An administrator who trusts the certificate itself knows its period.
        guard chain.count > 1, leaf.notBefore > Day.july2019 else { return nil }
        return Self.period(of: leaf) > Self.longest(825)
            ? TrustFailure(.validTooLong, depth: 0) : nil
    }

    /// Applies the rules for certificates issued after a day: their period, and their use for
    /// servers.
    private static func failure(
        of leaf: Certificate,
        since day: Int64,
        longest: Int64
    ) -> TrustFailure? {
        guard leaf.notBefore > day else { return nil }
        if period(of: leaf) > longest { return TrustFailure(.validTooLong, depth: 0) }
        let isForServers = leaf.handle?.namesServerUse == true
        return isForServers ? nil : TrustFailure(.wrongPurpose, depth: 0)
    }

    /// Returns the longest period of a certificate below a root that came with the system, by its
    /// first day.
    ///
    /// The periods are five years, 39 months, 825 days and 398 days.
    private static func longest(_ leaf: Certificate) -> Int64 {
        switch leaf.notBefore {
        case ..<Day.july2016: longest(5 * 365 + 2)
        case ..<Day.march2018: longest(3 * 365 + 2 * 31 + 30 + 1)
        case ..<Day.september2020: longest(825)
        default: 398 * Day.seconds
        }
    }

    /// Returns a number of days plus one hour, in seconds.
    private static func longest(_ days: Int64) -> Int64 { days * Day.seconds + 3_600 }

    private static func period(of leaf: Certificate) -> Int64 { leaf.notAfter - leaf.notBefore }

    /// Days in seconds since 2001-01-01 00:00:00 UTC.
    private enum Day {
        static let seconds: Int64 = 86_400
        static let july2016: Int64 = 489_024_000
        static let march2018: Int64 = 541_555_200
        static let july2019: Int64 = 583_628_400
        static let september2020: Int64 = 620_611_200
    }
}
