/// One entry of the entitlement `com.apple.developer.associated-domains`.
///
/// ```swift
/// try AssociatedDomain("webcredentials:*.example.com?mode=developer").host    // example.com
/// ```
/// - Source: Apple, "Associated Domains Entitlement", "Configuring an associated domain".
package struct AssociatedDomain: Hashable, Sendable {
    /// The source of the association file for an app that does not come from a store.
    package enum Mode: String, Sendable {
        case developer, managed
        case developerAndManaged = "developer+managed"
    }

    /// The entitlement's key.
    package static let entitlement = "com.apple.developer.associated-domains"
    /// The service in entries that AutoFill reads.
    package static let webCredentials = "webcredentials"

    /// The service, such as `webcredentials` or `applinks`.
    package let service: String
    /// The host without the wildcard.
    ///
    /// Only the association file of exactly this host counts.
    package let host: HostName
    /// Whether the entry includes all hosts below.
    package let includesSubdomains: Bool
    package let mode: Mode?

    /// Parses `service:domain`, in which a domain may begin with `*.` and end with `?mode=`.
    ///
    /// - Throws: `entryNotValid` for a URL, a path, a port, an address, a public suffix after a
    ///   wildcard, and any other text.
    package init(_ entry: String) throws(AutoFillRefusal) {
        let parts = entry.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard entry.utf8.count <= 1024, parts.count == 2, !parts[0].isEmpty,
            parts[0].utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
        else { throw .entryNotValid(entry) }
        service = String(parts[0])
        let halves = parts[1].split(separator: "?", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { throw .entryNotValid(entry) }
        mode = try Self.mode(halves.dropFirst().first, in: entry)
        includesSubdomains = halves[0].hasPrefix("*.")
        let name = includesSubdomains ? halves[0].dropFirst(2) : halves[0]
        guard let host = try? HostName(name), host.kind == .domain, host.ascii.contains(".")
        else { throw .entryNotValid(entry) }
        if includesSubdomains, host.registrableDomain == nil,
            PublicSuffixes.suffix(of: host.ascii) != nil
        {
            throw .entryNotValid(entry)
        }
        self.host = host
    }

    /// Whether the entry includes a host.
    package func covers(_ other: HostName) -> Bool {
        other == host || includesSubdomains && other.isBelow(host)
    }

    private static func mode(
        _ query: Substring?,
        in entry: String
    ) throws(AutoFillRefusal) -> Mode? {
        guard let query else { return nil }
        guard query.hasPrefix("mode="), let mode = Mode(rawValue: String(query.dropFirst(5)))
        else { throw .entryNotValid(entry) }
        return mode
    }
}
