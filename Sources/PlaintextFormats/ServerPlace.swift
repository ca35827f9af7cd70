/// An account on a server, described by attributes of an internet password.
package struct ServerPlace: Sendable, Hashable {
    /// The host name or address; an IPv6 address has no brackets.
    package var server: String
    /// The four letters of `kSecAttrProtocol`, such as `htps`, or the scheme if it has no letters;
    /// nil for any protocol.
    package var protocolName: String?
    /// The port; nil for the protocol's default.
    package var port: UInt16?
    /// The path; empty, or beginning with a slash.
    package var path: String
    package var account: String
    /// The four letters of `kSecAttrAuthenticationType`; nil if unknown.
    package var authenticationType: String?
    /// The realm of HTTP authentication; nil if there is none.
    package var securityDomain: String?

    package init(
        server: String,
        protocolName: String? = nil,
        port: UInt16? = nil,
        path: String = "",
        account: String,
        authenticationType: String? = nil,
        securityDomain: String? = nil
    ) {
        self.server = server
        self.protocolName = protocolName
        self.port = port
        self.path = path
        self.account = account
        self.authenticationType = authenticationType
        self.securityDomain = securityDomain
    }

    /// Describes an account at a URL; without one, on the server with the given name.
    init(_ url: LocatorURL?, named name: String, account: String) {
        self.init(
            server: url?.host ?? name,
            protocolName: url.map { ProtocolName.name(ofScheme: $0.scheme) },
            port: url?.port,
            path: url.map { $0.path.isEmpty ? "" : "/" + $0.path } ?? "",
            account: account
        )
    }
}

// ★ Table: URL schemes with their four letters in internet passwords.
package enum ProtocolName {
    private static let table: [(scheme: String, letters: String)] = [
        ("http", "http"), ("https", "htps"), ("ftp", "ftp "), ("ftps", "ftps"), ("ssh", "ssh "),
        ("imap", "imap"), ("imaps", "imps"), ("smtp", "smtp"), ("pop3", "pop3"), ("pop3s", "pops"),
        ("ldap", "ldap"), ("ldaps", "ldps"), ("smb", "smb "), ("irc", "irc "), ("ircs", "ircs"),
        ("telnet", "teln"), ("nntp", "nntp"), ("nntps", "ntps"), ("rtsp", "rtsp"), ("ipp", "ipp "),
        ("cert", "cert"), ("postgres", "psql"),
    ]

    /// Returns the letters of a scheme in any case; nil if it has none.
    package static func letters(ofScheme scheme: String) -> String? {
        let scheme = scheme.lowercased()
        return table.first { $0.scheme == scheme }?.letters
    }

    /// Returns the protocol's name in an internet password: the letters, or else the scheme.
    ///
    /// A colon marks a scheme that looks like another one's letters, or like a number. Spaces pad a
    /// short scheme, as they pad letters.
    package static func name(ofScheme scheme: String) -> String {
        let scheme = scheme.lowercased()
        if let letters = letters(ofScheme: scheme) { return letters }
        let padded = scheme + String(repeating: " ", count: max(0, 4 - scheme.utf8.count))
        let isTaken = table.contains { $0.letters == padded } || scheme.first?.isNumber ?? true
        return isTaken ? scheme + ":" : padded
    }

    /// Returns the default port of a protocol; nil if it has none.
    package static func defaultPort(ofLetters letters: String) -> UInt16? {
        defaultPorts[letters]
    }

    private static let defaultPorts: [String: UInt16] = [
        "http": 80, "htps": 443, "ftp ": 21, "ftps": 990, "ssh ": 22, "imap": 143, "imps": 993,
        "smtp": 25, "pop3": 110, "pops": 995, "ldap": 389, "ldps": 636, "psql": 5432,
    ]

    /// Returns the scheme with four letters, or the scheme in a result of `name(ofScheme:)`.
    package static func scheme(ofLetters letters: String) -> String {
        if let scheme = table.first(where: { $0.letters == letters })?.scheme { return scheme }
        return String(letters.prefix { $0 != ":" && $0 != " " })
    }
}
