import PlaintextFormats

/// The address of a page with a form: its origin and its path.
///
/// ```swift
/// let page = try PageAddress("https://login.example.com/session")
/// page.host.registrableDomain    // "example.com"
/// ```
/// - Source: RFC 6454 for origins. Text that browsers would repair is refused.
package struct PageAddress: Hashable, Sendable {
    package let host: HostName
    package let service: WebService
    /// The path without query and fragment; empty, or beginning with a slash.
    package let path: String

    /// Parses an absolute URL.
    ///
    /// - Throws: The reason why AutoFill does not accept it.
    package init(_ url: String) throws(AutoFillRefusal) {
        guard url.utf8.count <= 65_536,
            url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }),
            let colon = url.firstIndex(of: ":")
        else { throw .pageNotURL }
        let scheme = url[..<colon].lowercased()
        guard Self.isScheme(scheme) else { throw .pageNotURL }
        guard scheme == "https" || scheme == "http",
            let letters = ProtocolName.letters(ofScheme: scheme)
        else { throw .schemeNotWeb(scheme) }
        let rest = url[url.index(after: colon)...]
        guard rest.hasPrefix("//") else { throw .pageNotURL }
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        guard !authority.contains("@") else { throw .userInURL }
        let (name, port) = try Self.split(authority)
        host = try HostName(name)
        service = WebService(protocolName: letters, port: port)
        path = String(url[authority.endIndex...].prefix { $0 != "?" && $0 != "#" })
    }

    /// Parses text from the user: a URL, or a host, which stands for HTTPS.
    package init(typed text: String) throws(AutoFillRefusal) {
        try self.init(text.contains("://") ? text : "https://" + text)
    }

    /// The origin, such as `https://example.com:8443`.
    package var origin: String {
        let scheme = ProtocolName.scheme(ofLetters: service.protocolName)
        return "\(scheme)://\(host.inURL)" + (service.port.map { ":\($0)" } ?? "")
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else {
            return false
        }
        return text.unicodeScalars.allSatisfy {
            "a"..."z" ~= $0 || "0"..."9" ~= $0 || "+-.".unicodeScalars.contains($0)
        }
    }

    /// Returns the host and the port of an authority.
    private static func split(
        _ authority: Substring
    ) throws(AutoFillRefusal) -> (host: Substring, port: UInt16?) {
        let hostEnd: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { throw .hostNotValid }
            hostEnd = authority.index(after: bracket)
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
        }
        let host = authority[..<hostEnd]
        let rest = authority[hostEnd...]
        // As in browsers, a colon without a number means the protocol's default port.
        if rest.isEmpty || rest == ":" { return (host, nil) }
        guard rest.first == ":" else { throw .hostNotValid }
        let digits = rest.dropFirst()
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }),
            let port = UInt16(digits), port > 0
        else { throw .portNotValid }
        return (host, port)
    }
}
