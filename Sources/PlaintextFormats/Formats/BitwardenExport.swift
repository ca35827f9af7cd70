import JSON
import Secrets

/// An unencrypted JSON export of Bitwarden or Vaultwarden.
///
/// - Source: Bitwarden Help Center, Condition a Bitwarden .json or .csv.
enum BitwardenExport {
    /// The type of items that are logins.
    private static let loginType = "1"

    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        let json = try JSONText(view)
        if let encrypted = json.value("encrypted", of: json.root), json.isTrue(encrypted) {
            throw PlaintextError(
                json.line(of: encrypted),
                "an encrypted export: export it without encryption"
            )
        }
        guard case .array(let items)? = json.value("items", of: json.root)?.content else {
            throw PlaintextError(1, "JSON that is not the export of a known password manager")
        }
        return items.indices.compactMap { entry($0, of: items, json) }
    }

    private static func entry(
        _ index: Int,
        of items: [JSONText.Node],
        _ json: JSONText
    ) -> PlaintextEntry? {
        let item = items[index]
        let login = json.value("login", of: item)
        guard json.isNumber(json.value("type", of: item), loginType),
            let password = json.value("password", of: login),
            let secret = json.secret(password), secret.secret.byteCount > 0
        else { return nil }
        let title = json.text(json.value("name", of: item)) ?? ""
        let credential = ExportedLogin(
            url: firstURL(of: login, json),
            username: json.text(json.value("username", of: login)) ?? "",
            title: title
        )
        let extras = [
            ("a one-time password", "totp", login), ("custom fields", "fields", item),
        ]
        let notes = json.value("notes", of: item)
        let remark = json.secret(notes).flatMap { $0.isEmpty ? nil : $0 }
        let lost = extras.first { !json.isEmpty(json.value($0.1, of: $0.2)) }
        return PlaintextEntry(
            credential.place,
            line: json.line(of: item),
            removal: [JSONText.removal(of: index, from: items)],
            secret: secret,
            written: json.written(password),
            title: title,
            remark: remark,
            writtenRemark: remark.flatMap { _ in notes.map { json.written($0) } },
            hindrance: lost.map { "it has \($0.0) as well" } ?? credential.hindrance
        )
    }

    private static func firstURL(of login: JSONText.Node?, _ json: JSONText) -> String {
        guard case .array(let uris)? = json.value("uris", of: login)?.content else { return "" }
        return json.text(json.value("uri", of: uris.first)) ?? ""
    }
}

extension SharedSecret {
    var isEmpty: Bool { secret.byteCount == 0 }
}

/// A login as password managers export it.
struct ExportedLogin {
    let url: String
    let username: String
    let title: String
    var realm = ""
    var authenticationType: String?

    private var locator: LocatorURL? {
        url.isEmpty ? nil : LocatorURL(url) ?? LocatorURL("https://" + url)
    }

    private var letters: String? {
        locator.flatMap { ProtocolName.letters(ofScheme: $0.scheme) }
    }

    /// A server where there is a URL, else a service named by the title.
    var place: PlaintextPlace {
        guard let locator else {
            return .service(title.isEmpty ? nil : title, account: username)
        }
        let path = locator.path.prefix { $0 != "?" && $0 != "#" }
        return .server(
            ServerPlace(
                server: locator.host,
                protocolName: letters,
                port: locator.port,
                path: path.isEmpty ? "" : "/" + path,
                account: username,
                authenticationType: authenticationType,
                securityDomain: realm.isEmpty ? nil : realm
            )
        )
    }

    var hindrance: String? {
        guard let locator else { return nil }
        if letters == nil { return "an internet password has no such protocol" }
        return locator.host.isEmpty ? "its URL names no server" : nil
    }
}
