import JSON
import Secrets

// ★ Table: the members of an export, and the treatment of each.

/// An unencrypted JSON export of Bitwarden or Vaultwarden.
///
/// The format is the set of its members. A login with an unknown member that is not empty stays.
/// - Source: Bitwarden Help Center, Condition a Bitwarden .json or .csv; bitwarden/clients,
///   `libs/common/src/models/export`.
enum BitwardenExport {
    private enum Member {
        /// The item has a place for the member, or the reader handles it separately.
        case known
        /// A number or date for the program's own use, which says nothing about the login.
        case bookkeeping
        /// The login stays in the file if it has this member, for this reason.
        case keeps(String)
    }

    private static let fileMembers: Set<String> = ["encrypted", "folders", "items", "collections"]

    private static let itemMembers: [String: Member] = [
        "id": .bookkeeping, "creationDate": .bookkeeping, "revisionDate": .bookkeeping,
        "object": .bookkeeping, "type": .known, "name": .known, "notes": .known, "login": .known,
        "favorite": .known, "folderId": .known, "reprompt": .known,
        "deletedDate": .keeps("a place in the trash"),
        "archivedDate": .keeps("a place in the archive"),
        "organizationId": .keeps("an organization"), "collectionIds": .keeps("a collection"),
        "passwordHistory": .keeps("earlier passwords"), "fields": .keeps("custom fields"),
        "attachments": .keeps("attachments"), "secureNote": .keeps("a secure note"),
        "card": .keeps("a card"), "identity": .keeps("an identity"), "sshKey": .keeps("an SSH key"),
    ]

    private static let loginMembers: [String: Member] = [
        "uris": .known, "username": .known, "password": .known,
        "passwordRevisionDate": .bookkeeping, "totp": .keeps("a one-time password"),
        "fido2Credentials": .keeps("a passkey"),
    ]

    private static let addressMembers: [String: Member] = [
        "uri": .known, "uriChecksum": .bookkeeping,
        "match": .keeps("a rule of its own for its address"),
    ]

    static func findings(_ view: ByteView) throws(PlaintextError) -> PlaintextFindings {
        let json = try JSONText(view)
        if let encrypted = json.value("encrypted", of: json.root), json.isTrue(encrypted) {
            throw PlaintextError(
                json.line(of: encrypted),
                "an encrypted export: export it without encryption"
            )
        }
        guard case .object(let members) = json.root.content,
            members.allSatisfy({ fileMembers.contains($0.key) || json.isEmpty($0.value) }),
            members.count == Set(members.map(\.key)).count,
            case .array(let items)? = json.value("items", of: json.root)?.content
        else { throw PlaintextError(1, "JSON that is not the export of a known password manager") }
        var findings = PlaintextFindings()
        for index in items.indices {
            findings.add { () throws(PlaintextError) in try entry(index, of: items, json) }
        }
        return findings
    }

    private static func entry(
        _ index: Int,
        of items: [JSONText.Node],
        _ json: JSONText
    ) throws(PlaintextError) -> PlaintextEntry? {
        let item = items[index]
        let node = json.value("login", of: item)
        guard json.isNumber(json.value("type", of: item), "1") else {
            throw PlaintextError(json.line(of: item), "an entry that is no login")
        }
        let login = login(of: item, node, json)
        guard let password = json.value("password", of: node),
            let secret = json.secret(password), !secret.isEmpty
        else {
            guard let lost = login.lost.first else { return nil }
            throw PlaintextError(json.line(of: item), "a login without a password that has \(lost)")
        }
        let notes = json.value("notes", of: item)
        let remark = json.secret(notes).flatMap { $0.isEmpty ? nil : $0 }
        return PlaintextEntry(
            login.place,
            line: json.line(of: item),
            removal: [JSONText.removal(of: index, from: items)],
            secret: secret,
            written: [json.written(password)],
            title: login.title,
            remark: remark,
            writtenRemark: remark.flatMap { _ in notes.map { json.written($0) } },
            appendix: login.appendix,
            hindrance: login.hindrance
        )
    }

    private static func login(
        of item: JSONText.Node,
        _ node: JSONText.Node?,
        _ json: JSONText
    ) -> ExportedLogin {
        var login = ExportedLogin()
        login.title = json.text(json.value("name", of: item)) ?? ""
        login.username = json.text(json.value("username", of: node)) ?? ""
        note(item, itemMembers, &login, json)
        note(node, loginMembers, &login, json)
        if let folder = json.text(json.value("folderId", of: item)), !folder.isEmpty {
            login.add("folder", name(ofFolder: folder, json) ?? folder)
        }
        if let favorite = json.value("favorite", of: item), json.isTrue(favorite) {
            login.add("favorite", "yes")
        }
        let reprompt = json.value("reprompt", of: item)
        if !json.isEmpty(reprompt), !json.isNumber(reprompt, "0") {
            login.lost.append("a prompt for the master password")
        }
        if case .array(let addresses)? = json.value("uris", of: node)?.content {
            for address in addresses { note(address, addressMembers, &login, json) }
            let urls = addresses.compactMap { json.text(json.value("uri", of: $0)) }
                .filter { !$0.isEmpty }
            login.url = urls.first ?? ""
            if urls.count > 1 { login.lost.append("several addresses") }
            if addresses.count > urls.count { login.lost.append("an empty address") }
        } else if !json.isEmpty(json.value("uris", of: node)) {
            login.lost.append("an address of another kind")
        }
        return login
    }

    /// Records the members of an object because of which the login stays.
    private static func note(
        _ node: JSONText.Node?,
        _ known: [String: Member],
        _ login: inout ExportedLogin,
        _ json: JSONText
    ) {
        guard let node else { return }
        guard case .object(let members) = node.content else {
            if !json.isEmpty(node) { login.lost.append("something unknown") }
            return
        }
        if Set(members.map(\.key)).count < members.count {
            login.lost.append("a member that stands there twice")
        }
        for member in members where !json.isEmpty(member.value) {
            switch known[member.key] {
            case .known, .bookkeeping: continue
            case .keeps(let what): login.lost.append(what)
            case nil: login.lost.append("a member that is not known")
            }
        }
    }

    private static func name(ofFolder id: String, _ json: JSONText) -> String? {
        guard case .array(let folders)? = json.value("folders", of: json.root)?.content else {
            return nil
        }
        let folder = folders.first { json.text(json.value("id", of: $0)) == id }
        return json.text(json.value("name", of: folder))
    }
}
