@_implementationOnly import CDomainNames

/// The list of public suffixes, below which anybody may register a name: `com`, `co.uk`,
/// `github.io`.
///
/// The list is built into Debian's libpsl, so nothing is read from disk.
/// - Source: publicsuffix.org, "Format"; libpsl, "Public Suffix List functions".
package enum PublicSuffixes {
    /// Returns the public suffix of a host; nil if the list does not have it.
    ///
    /// The host must be in lower-case ASCII.
    package static func suffix(of host: String) -> String? {
        guard let list = psl_builtin() else { return nil }
        return host.withCString { name in
            guard let found = psl_unregistrable_domain(list, name),
                psl_is_public_suffix2(list, found, cdomainnames_listed) == 1
            else { return nil }
            return String(cString: found)
        }
    }

    /// Returns the part of a host that one owner registered: the suffix and one more label.
    ///
    /// Returns nil for a suffix itself, and for a host whose suffix is not in the list.
    package static func registrableDomain(of host: String) -> String? {
        guard let suffix = suffix(of: host), host.utf8.count > suffix.utf8.count else { return nil }
        let rest = host.dropLast(suffix.utf8.count + 1)
        let label = rest.lastIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? rest
        return "\(label).\(suffix)"
    }
}
