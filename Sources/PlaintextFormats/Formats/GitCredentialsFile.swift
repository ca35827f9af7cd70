import Secrets

/// `~/.git-credentials`: a URL with user and password on each line.
///
/// git ignores every other line, and so does this reader.
/// - Source: git-credential-store(1), STORAGE FORMAT; git, `credential_from_url`.
enum GitCredentialsFile {
    static func findings(_ view: ByteView) -> PlaintextFindings {
        var findings = PlaintextFindings()
        for line in view.lines {
            let content = view.trimmed(line.content)
            guard let first = content.first, view[first] != UInt8(ascii: "#") else { continue }
            findings.add { () throws(PlaintextError) in try entry(content, line, view) }
        }
        return findings
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
        guard let user = url.user, let range = parts.password, !range.isEmpty else {
            throw PlaintextError(line.number, "a URL without a user or without a password")
        }
        guard let secret = view.secret(range, .percent) else {
            throw PlaintextError(line.number, "a percent sign without two hexadecimal digits")
        }
        guard !range.contains(where: { view[$0] == UInt8(ascii: "@") }) else {
            throw PlaintextError(line.number, "a URL with two @, of which git takes the first")
        }
        guard !url.host.isEmpty || !url.path.isEmpty else {
            throw PlaintextError(line.number, "a URL without a server")
        }
        return PlaintextEntry(
            .server(ServerPlace(url, named: url.host, account: user)),
            line: line.number,
            removal: [line.whole],
            secret: secret,
            written: [WrittenSecret(range, .percent)]
        )
    }
}
