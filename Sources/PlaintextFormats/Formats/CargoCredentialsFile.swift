import Secrets

/// `~/.cargo/credentials.toml`: the token of each registry.
///
/// A token becomes the variable by which cargo knows it, so that `keychainctl env
/// cargo:crates-io -- cargo …` brings it back to a cargo that has no credential providers.
/// - Source: The Cargo Book, Configuration, "Credentials"; TOML 1.0, "String".
enum CargoCredentialsFile {
    /// What stands behind a registry's name, and why it cannot move.
    private static let settings: [String: String?] = [
        "token": nil, "secret-key": "cargo signs with it, and cannot run a program for that",
    ]

    /// The name that cargo has for the registry of `[registry]`.
    private static let defaultRegistry = "crates-io"

    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        let document = try INIDocument(view, allowsContinuation: false)
        return document.rows.compactMap { row in entry(row, view) }
    }

    private static func entry(_ row: INIDocument.Row, _ view: ByteView) -> PlaintextEntry? {
        let path = (row.section.isEmpty ? "" : row.section + ".") + row.key
        var parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard ["registry", "registries"].contains(parts.removeFirst()) else { return nil }
        let isTable = view.hasPrefix("{", row.value)
        let setting = isTable ? "token" : parts.popLast() ?? ""
        guard let hindrance = settings[setting] else { return nil }
        let isDefault = !path.hasPrefix("registries")
        let registry = isDefault ? defaultRegistry : parts.joined(separator: ".")
        let isNamed = isDefault ? parts.isEmpty : isBareKey(registry)
        let string = isTable ? nil : string(row.value, view)
        return PlaintextEntry(
            .service("cargo:" + registry, account: variable(registry, setting, isDefault)),
            line: row.line,
            removal: [row.whole],
            secret: view.secret(string ?? row.value),
            written: WrittenSecret(string ?? row.value),
            hindrance: hindrance
                ?? (isNamed ? nil : "the name of its registry is not a plain word")
                ?? (string == nil ? "its value is not a plain string" : nil)
        )
    }

    /// Such as `CARGO_REGISTRIES_MY_COMPANY_TOKEN`.
    private static func variable(
        _ registry: String,
        _ setting: String,
        _ isDefault: Bool
    ) -> String {
        let words = isDefault ? ["registry", setting] : ["registries", registry, setting]
        return (["cargo"] + words).joined(separator: "_").replacing("-", with: "_").uppercased()
    }

    /// The bytes between the quotes of a string on one line; nil if it has escapes, or more than a
    /// comment stands behind it.
    private static func string(_ value: Range<Int>, _ view: ByteView) -> Range<Int>? {
        guard let start = value.first,
            view[start] == UInt8(ascii: "\"")
                || view[start] == UInt8(ascii: "'")
        else { return nil }
        let rest = start + 1..<value.upperBound
        guard let end = rest.first(where: { view[$0] == view[start] }) else { return nil }
        let behind = view.trimmed(end + 1..<value.upperBound)
        let content = start + 1..<end
        guard behind.isEmpty || view.hasPrefix("#", behind), !content.isEmpty,
            !content.contains(where: { view[$0] == UInt8(ascii: "\\") })
        else { return nil }
        return content
    }

    private static func isBareKey(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                let scalar = UnicodeScalar(byte)
                return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                    || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
            }
    }
}
