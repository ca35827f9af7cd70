@_implementationOnly import CDomainNames

/// The list of suffixes below which anybody may register a name: `com`, `co.uk`, `github.io`.
///
/// The list is the one that Debian builds into libpsl, so nothing is read from disk.
/// - Source: publicsuffix.org, "Format"; libpsl, "Public Suffix List functions".
package enum PublicSuffixes {
    /// The public suffix of a host, if the list has it.
    ///
    /// The host is in lower case, in ASCII.
    package static func suffix(of host: String) -> String? {
        guard let list = psl_builtin() else { return nil }
        return host.withCString { name in
            guard let found = psl_unregistrable_domain(list, name),
                psl_is_public_suffix2(list, found, cdomainnames_listed) == 1
            else { return nil }
            return String(cString: found)
        }
    }

    /// The part of a host that one owner registered: the suffix and one label more.
    ///
    /// It is nil for a suffix itself and for a host whose suffix the list does not have.
    package static func registrableDomain(of host: String) -> String? {
        guard let suffix = suffix(of: host), host.utf8.count > suffix.utf8.count else { return nil }
        let rest = host.dropLast(suffix.utf8.count + 1)
        let label = rest.lastIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? rest
        return "\(label).\(suffix)"
    }
}
