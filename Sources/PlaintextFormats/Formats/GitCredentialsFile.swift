import Secrets

/// `~/.git-credentials`: a URL with user and password on each line.
///
/// - Source: git-credential-store(1), STORAGE FORMAT.
enum GitCredentialsFile {
    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        var entries: [PlaintextEntry] = []
        for line in view.lines {
            let content = view.trimmed(line.content)
            guard let first = content.first, view[first] != UInt8(ascii: "#") else { continue }
            entries.append(try entry(content, line, view))
        }
        return entries
    }

    private static func entry(
        _ content: Range<Int>,
        _ line: ByteView.Line,
        _ view: ByteView
    ) throws(PlaintextError) -> PlaintextEntry {
        let bytes = view.bytes[content]
        guard let parts = URLParts(bytes), let url = LocatorURL(bytes) else {
            throw PlaintextError(line.number, "not a URL like scheme://user:password@host/path")
        }
        guard let user = url.user, let password = parts.password, !password.isEmpty else {
            throw PlaintextError(line.number, "a URL without user and password")
        }
        let secret = try view.secret(password) { (bytes, emit) throws(PlaintextError) in
            guard PercentEncoding.decode(bytes, emit) else {
                throw PlaintextError(line.number, "a percent sign without two hexadecimal digits")
            }
        }
        let place = ServerPlace(url, named: url.host, account: user)
        let isKnown = place.protocolName != nil
        return PlaintextEntry(
            .server(place),
            line: line.number,
            removal: [line.whole],
            secret: secret,
            written: WrittenSecret(password, .percent),
            hindrance: isKnown ? nil : "an internet password has no such protocol"
        )
    }
}
