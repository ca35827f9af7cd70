import Secrets

/// `~/.npmrc`: settings, some of which hold a registry's password or token.
///
/// A setting that is taken out refers to a variable afterwards (`${NPM_TOKEN}`), which npm reads
/// from its environment.
/// - Source: npm, npmrc(5), "Auth related configuration".
enum NpmrcFile {
    /// The registry of settings that name none.
    private static let registry = "https://registry.npmjs.org/"

    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        let document = try INIDocument(view, allowsContinuation: false, allowsBareKeys: true)
        let secrets: Set<String> = ["_authToken", "_auth", "_password"]
        var settings: [String: String] = [:]
        for row in document.rows where !secrets.contains(setting(row.key).name) {
            settings[row.key] = try view.text(unquoted(row.value, view))
        }
        return document.rows.compactMap { row in
            let (scope, name) = setting(row.key)
            let value = unquoted(row.value, view)
            guard secrets.contains(name), !value.isEmpty else { return nil }
            let url = scope.map { "https:" + $0 } ?? settings["registry"] ?? registry
            let entry = entry(row, name, value, url: url, settings, scope, view)
            let reference = entry.replacement
            // What an earlier removal left is no secret.
            return view.bytes[value].elementsEqual(reference) ? nil : entry
        }
    }

    private static func entry(
        _ row: INIDocument.Row,
        _ name: String,
        _ value: Range<Int>,
        url text: String,
        _ settings: [String: String],
        _ scope: String?,
        _ view: ByteView
    ) -> PlaintextEntry {
        let url = LocatorURL(text)
        let decoded = name == "_password" ? decoded(value, view) : nil
        let user = settings[scope.map { $0 + ":username" } ?? "username"]
        let account = name == "_password" ? user ?? name : name
        let place = ServerPlace(url, named: text, account: account)
        return PlaintextEntry(
            .server(place),
            line: row.line,
            removal: [value],
            replacement: "${" + NpmVariable.name(of: place) + "}",
            secret: decoded ?? view.secret(value),
            written: WrittenSecret(value, decoded == nil ? .plain : .base64),
            hindrance: decoded == nil && name == "_password"
                ? "it is not Base64" : hindrance(value, url, view)
        )
    }

    private static func decoded(_ value: Range<Int>, _ view: ByteView) -> SharedSecret? {
        let bytes = UnsafeRawBufferPointer(rebasing: view.bytes[value])
        guard let secret = Base64.decode(bytes) else { return nil }
        return SharedSecret(secret)
    }

    private static func hindrance(
        _ value: Range<Int>,
        _ url: LocatorURL?,
        _ view: ByteView
    ) -> String? {
        if value.contains(where: { view.hasPrefix("${", $0..<value.upperBound) }) {
            return "its value refers to a variable"
        }
        return url == nil ? "its registry is not a URL" : nil
    }

    /// `//host/path/:name`, or a name alone.
    private static func setting(_ key: String) -> (scope: String?, name: String) {
        guard key.hasPrefix("//"), let colon = key.lastIndex(of: ":") else { return (nil, key) }
        return (String(key[..<colon]), String(key[key.index(after: colon)...]))
    }

    private static func unquoted(_ range: Range<Int>, _ view: ByteView) -> Range<Int> {
        guard range.count >= 2, let first = range.first, let last = range.last,
            view[first] == view[last],
            view[first] == UInt8(ascii: "\"")
                || view[first] == UInt8(ascii: "'")
        else { return range }
        return first + 1..<last
    }
}

/// The variables that `.npmrc` refers to once its secrets are gone.
package enum NpmVariable {
    private static let names = ["_authToken": "NPM_TOKEN", "_auth": "NPM_AUTH"]

    /// `NPM_TOKEN` for npm's own registry, else such as `NPM_TOKEN_R_EXAMPLE_NPM`.
    package static func name(of place: ServerPlace) -> String {
        let name = names[place.account] ?? "NPM_PASSWORD"
        guard place.server != "registry.npmjs.org" || !place.path.isEmpty else { return name }
        let port = place.port.map { ":\($0)" } ?? ""
        let words = (place.server + port + place.path).uppercased()
            .split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return ([name] + words.map(String.init)).joined(separator: "_")
    }
}
