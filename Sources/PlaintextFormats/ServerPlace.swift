/// An account on a server, in the words of an internet password's attributes.
package struct ServerPlace: Sendable, Hashable {
    /// A host name or address; an IPv6 address without its brackets.
    package var server: String
    /// Four letters, as `kSecAttrProtocol` has them, such as `htps`; the scheme itself where
    /// there are none for it; nil for any.
    package var protocolName: String?
    /// nil for the protocol's own.
    package var port: UInt16?
    /// Empty, or beginning with a slash.
    package var path: String
    package var account: String
    /// Four letters, as `kSecAttrAuthenticationType` has them; nil for unknown.
    package var authenticationType: String?
    /// The realm of HTTP authentication; nil for none.
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

    /// An account at a URL; without one, at whatever the name says.
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

// ★ Table: schemes of URLs and the four letters that an internet password has for them.
package enum ProtocolName {
    private static let table: [(scheme: String, letters: String)] = [
        ("http", "http"), ("https", "htps"), ("ftp", "ftp "), ("ftps", "ftps"), ("ssh", "ssh "),
        ("imap", "imap"), ("imaps", "imps"), ("smtp", "smtp"), ("pop3", "pop3"), ("pop3s", "pops"),
        ("ldap", "ldap"), ("ldaps", "ldps"), ("smb", "smb "), ("irc", "irc "), ("ircs", "ircs"),
        ("telnet", "teln"), ("nntp", "nntp"), ("nntps", "ntps"), ("rtsp", "rtsp"), ("ipp", "ipp "),
        ("cert", "cert"), ("postgres", "psql"),
    ]

    /// The letters of a scheme, in whatever case it is written; nil for one that has none.
    package static func letters(ofScheme scheme: String) -> String? {
        let scheme = scheme.lowercased()
        return table.first { $0.scheme == scheme }?.letters
    }

    /// What an internet password has for any scheme: its letters, else the scheme itself.
    ///
    /// A colon tells a scheme that is spelled like the letters of another one, or like a number.
    /// Spaces pad a short one, as they pad letters.
    package static func name(ofScheme scheme: String) -> String {
        let scheme = scheme.lowercased()
        if let letters = letters(ofScheme: scheme) { return letters }
        let padded = scheme + String(repeating: " ", count: max(0, 4 - scheme.utf8.count))
        let isTaken = table.contains { $0.letters == padded } || scheme.first?.isNumber ?? true
        return isTaken ? scheme + ":" : padded
    }

    /// The port of a protocol that names none; nil where that is not settled.
    package static func defaultPort(ofLetters letters: String) -> UInt16? {
        defaultPorts[letters]
    }

    private static let defaultPorts: [String: UInt16] = [
        "http": 80, "htps": 443, "ftp ": 21, "ftps": 990, "ssh ": 22, "imap": 143, "imps": 993,
        "smtp": 25, "pop3": 110, "pops": 995, "ldap": 389, "ldps": 636, "psql": 5432,
    ]

    /// The scheme of four letters, or of what `name(ofScheme:)` made of it.
    package static func scheme(ofLetters letters: String) -> String {
        if let scheme = table.first(where: { $0.letters == letters })?.scheme { return scheme }
        return String(letters.prefix { $0 != ":" && $0 != " " })
    }
}
