import Secrets

/// `~/.npmrc`: settings, some of which hold a registry's password or token.
///
/// A removed setting becomes a reference to a variable (`${NPM_TOKEN_R_EXAMPLE}`), which npm reads
/// from its environment. Settings for the same place share a variable.
/// - Source: npm, npmrc(5), "Auth related configuration"; the package ini, `unsafe`.
enum NpmrcFile {
    /// The registry of settings without one.
    private static let registry = "https://registry.npmjs.org/"

    private static let secrets: Set<String> = ["_authToken", "_auth", "_password"]

    /// A setting with a secret, and its place.
    private struct Setting {
        let place: ServerPlace
        let line: Int
        let written: WrittenSecret
        let secret: SharedSecret
        let hindrance: String?
    }

    static func findings(_ view: ByteView) -> PlaintextFindings {
        var findings = PlaintextFindings()
        let file = NpmSettings(view)
        findings.oddities = file.oddities
        let texts = Dictionary(
            file.rows.filter { !secrets.contains(setting($0.key).name) && $0.section == nil }
                .map { ($0.key, try? view.text($0.value.range, $0.value.encoding)) }
        ) { _, last in last }.compactMapValues { $0 }
        var names = NpmVariable.Names(view)
        var settings: [(setting: Setting, variable: String)] = []
        for row in file.rows {
            let (scope, name) = setting(row.key)
            guard secrets.contains(name) else {
                noteSecret(of: row, &findings, view)
                continue
            }
            guard !row.value.range.isEmpty else { continue }
            let url = scope.map { "https:" + $0 } ?? texts["registry"] ?? registry
            let user = texts[scope.map { $0 + ":username" } ?? "username"]
            let found = setting(row, name, url: url, user: user, view)
            // The result of an earlier removal is not a secret.
            guard !names.isOwn(row.value.range, of: found.place, view) else { continue }
            settings.append((found, names.name(of: found.place)))
        }
        findings.entries = entries(settings)
        return findings
    }

    /// Returns one entry for all settings of a place with the same secret, because they share a
    /// variable.
    private static func entries(
        _ settings: [(setting: Setting, variable: String)]
    ) -> [PlaintextEntry] {
        var groups: [[(setting: Setting, variable: String)]] = []
        for found in settings {
            let index = groups.firstIndex { group in
                group[0].setting.place == found.setting.place
                    && group[0].setting.hindrance == found.setting.hindrance
                    && group[0].setting.secret.secret.constantTimeEquals(
                        found.setting.secret.secret
                    )
            }
            if let index { groups[index].append(found) } else { groups.append([found]) }
        }
        return groups.map { group in
            PlaintextEntry(
                .server(group[0].setting.place),
                line: group[0].setting.line,
                removal: group.map(\.setting.written.range),
                replacement: "${" + group[0].variable + "}",
                secret: group[0].setting.secret,
                written: group.map(\.setting.written),
                hindrance: group[0].setting.hindrance
            )
        }
    }

    private static func setting(
        _ row: NpmSettings.Row,
        _ name: String,
        url text: String,
        user: String?,
        _ view: ByteView
    ) -> Setting {
        let url = LocatorURL(text)
        let isPassword = name == "_password"
        let plain = view.secret(row.value.range, row.value.encoding)
        let bytes = view.secret(row.value.range, isPassword ? .base64 : row.value.encoding)
        let written = isPassword ? WrittenSecret(row.value.range, .base64) : row.value
        var hindrance = url == nil ? "its registry is not a URL" : row.hindrance
        if bytes == nil { hindrance = isPassword ? "it is not Base64" : "npm cannot read it" }
        if row.section != nil { hindrance = "it is in a section, where npm does not read it" }
        if row.value.range.contains(where: { view.hasPrefix("${", $0..<view.bytes.count) }) {
            hindrance = "its value refers to a variable"
        }
        return Setting(
            place: ServerPlace(url, named: text, account: isPassword ? user ?? name : name),
            line: row.line,
            written: bytes == nil ? row.value : written,
            secret: bytes ?? plain ?? view.secret(row.value.range),
            hindrance: hindrance
        )
    }

    /// Reports another setting that seems to hold a secret.
    private static func noteSecret(
        of row: NpmSettings.Row,
        _ findings: inout PlaintextFindings,
        _ view: ByteView
    ) {
        guard let value = view.secret(row.value.range, row.value.encoding),
            SecretName.seemsSecret(value: value.secret)
        else { return }
        findings.note(row.line, "a setting that looks like a secret; npm reads it only there")
    }

    /// Splits a key of the form `//host/path/:name`, or only a name.
    private static func setting(_ key: String) -> (scope: String?, name: String) {
        guard key.hasPrefix("//"), let colon = key.lastIndex(of: ":") else { return (nil, key) }
        return (String(key[..<colon]), String(key[key.index(after: colon)...]))
    }
}

/// The variables that `.npmrc` refers to after the removal of its secrets.
enum NpmVariable {
    private static let words = ["_authToken": "NPM_TOKEN", "_auth": "NPM_AUTH"]

    /// Returns a name such as `NPM_TOKEN_R_EXAMPLE__2FNPM`.
    ///
    /// It differs for every registry, because npm reads several files.
    ///
    /// A dot of the host becomes an underscore. Any other character apart from lower-case letters
    /// and digits becomes two underscores and its code.
    private static func name(of place: ServerPlace) -> String {
        let port = place.port.map { ":\($0)" } ?? ""
        let host = place.server.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let parts = host.map { spelled(String($0)) }.joined(separator: "_")
        return (words[place.account] ?? "NPM_PASSWORD") + "_" + parts + spelled(port + place.path)
    }

    private static func spelled(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = UnicodeScalar(byte)
            let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
            let code = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(scalar).uppercased() : "__" + (byte < 16 ? "0" : "") + code
        }
        .joined()
    }

    /// The variable names for the places of one file, none of which the file uses otherwise.
    struct Names {
        private var used: Set<String> = []
        private var known: [ServerPlace: String] = [:]

        init(_ view: ByteView) {
            for start in 0..<view.bytes.count
            where view.hasPrefix("${", start..<view.bytes.count) {
                let rest = view.bytes[(start + 2)...]
                guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { continue }
                let name =
                    rest[..<end].last == UInt8(ascii: "?") ? rest[..<(end - 1)] : rest[..<end]
                used.insert(String(decoding: name, as: UTF8.self))
            }
        }

        mutating func name(of place: ServerPlace) -> String {
            if let name = known[place] { return name }
            let base = NpmVariable.name(of: place)
            var name = base
            var number = 1
            while !used.insert(name).inserted {
                number += 1
                name = base + "_\(number)"
            }
            known[place] = name
            return name
        }

        /// Whether a value is exactly the reference that a removal leaves for a place.
        func isOwn(_ value: Range<Int>, of place: ServerPlace, _ view: ByteView) -> Bool {
            let text = String(decoding: view.bytes[value], as: UTF8.self)
            let base = "${" + NpmVariable.name(of: place)
            guard text.hasPrefix(base), text.hasSuffix("}") else { return false }
            let rest = text.dropFirst(base.count).dropLast()
            return rest.isEmpty || rest.hasPrefix("_") && Int(rest.dropFirst()) != nil
        }
    }
}
