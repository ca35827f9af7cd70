import Secrets

/// A login in a password manager's export.
struct ExportedLogin {
    var url = ""
    var username = ""
    var title = ""
    var realm = ""
    var authenticationType: String?
    /// Lines for the comment: content that is not secret and has no other place in an item.
    var lines: [String] = []
    /// Content that has no place in an item; the report names the first.
    var lost: [String] = []

    private var locator: LocatorURL? {
        url.isEmpty ? nil : LocatorURL(url) ?? LocatorURL("https://" + url)
    }

    private var letters: String? {
        locator.flatMap { ProtocolName.letters(ofScheme: $0.scheme) }
    }

    private var path: String {
        let path = locator?.path.prefix { $0 != "?" && $0 != "#" } ?? ""
        return path.isEmpty ? "" : "/" + path
    }

    /// The server if there is a URL, otherwise a service with the title as its name.
    var place: PlaintextPlace {
        guard let locator else {
            return .service(title.isEmpty ? nil : title, account: username)
        }
        return .server(
            ServerPlace(
                server: locator.host,
                protocolName: letters,
                port: locator.port,
                path: path,
                account: username,
                authenticationType: authenticationType,
                securityDomain: realm.isEmpty ? nil : realm
            )
        )
    }

    /// The lines for the comment, with the full address if the place has only a part of it.
    var appendix: String? {
        var lines = lines
        if let locator, locator.path.contains(where: { "?#".contains($0) }) {
            lines.append("address: " + url)
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    var hindrance: String? {
        if let lost = lost.first { return "it has \(lost) as well" }
        guard !url.isEmpty else { return nil }
        guard let locator else { return "its address is not a URL" }
        if letters == nil { return "a login has no such protocol" }
        if locator.user != nil || locator.hasPassword { return "its address has a user in it" }
        let isSeveral = locator.host.contains { Self.separators.contains($0) }
        if isSeveral || ExportedLogin.isSeveral(url) { return "it has several addresses" }
        if locator.host.isEmpty { return "its URL names no server" }
        return Self.isHost(locator.host) ? nil : "its address is not a URL"
    }

    /// The characters that exports write between two addresses.
    private static let separators = ",;| \n"

    /// Whether a second address follows a separator, as in some exports.
    private static func isSeveral(_ url: String) -> Bool {
        let parts = url.split { separators.contains($0) }
        return parts.dropFirst().contains { $0.contains("://") }
    }

    /// Whether a name can be a server's: words in any language, or an IPv6 address.
    private static func isHost(_ name: String) -> Bool {
        name.allSatisfy { $0.isLetter || $0.isNumber || "-._:%".contains($0) }
    }

    /// Adds a line for the content of a column or member, unless it is empty.
    mutating func add(_ label: String, _ text: String) {
        let words = text.split(whereSeparator: \.isNewline).joined(separator: ", ")
        guard !words.isEmpty else { return }
        lines.append("\(label): \(words)")
    }
}

extension SharedSecret {
    var isEmpty: Bool { secret.byteCount == 0 }
}
