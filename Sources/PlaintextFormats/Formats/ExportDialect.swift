// ★ Table: the known exports, identified by the columns in their header.

/// The columns of a program's CSV export.
///
/// A dialect consists of its whole header. A file with another column, or without a column that is
/// always present, is not an export of the program.
/// - Source: The exports and importers of the programs; bitwarden/clients, `libs/importer`.
struct ExportDialect: Sendable {
    /// The treatment of a column's content.
    enum Column: Sendable {
        case title, address, user, password, notes, realm
        /// Several addresses, separated by commas.
        case addresses
        /// The user if there is no other; otherwise a line of the comment.
        case otherUser(String)
        /// A line of the comment.
        case line(String)
        /// A line of the comment if the option is on.
        case mark(String)
        /// A line of the comment, unless its server is that of the address.
        case sameAddress(String)
        /// A folder, which may be the one for deleted entries.
        case folder
        /// The kind of entry: one of these words, or the row stays.
        case kind([String])
        /// Content without a place in an item: the row stays.
        case keeps(String)
        /// The row stays if the option is on.
        case holds(String)
        /// A number, date or icon for the program's own use.
        case bookkeeping
    }

    let program: String
    /// Columns that are always present.
    let needed: [String: Column]
    /// Columns of some versions.
    var further: [String: Column] = [:]
    /// The type, such as `form`, if the program stores only one.
    var authenticationType: String?

    var columns: [String: Column] { needed.merging(further) { first, _ in first } }

    /// Returns the dialect with a header in lower case; nil if none has it, and for repeated
    /// columns.
    static func of(_ header: [String]) -> ExportDialect? {
        let names = Set(header)
        guard names.count == header.count else { return nil }
        return all.first { dialect in
            names.isSuperset(of: dialect.needed.keys)
                && names.subtracting(dialect.needed.keys).isSubset(of: dialect.further.keys)
        }
    }

    private static let oneTime = Column.keeps("a one-time password")

    static let all: [ExportDialect] = [
        ExportDialect(
            program: "Bitwarden",
            needed: [
                "name": .title, "login_uri": .addresses, "login_username": .user,
                "login_password": .password,
            ],
            further: [
                "notes": .notes, "login_totp": oneTime, "fields": .keeps("custom fields"),
                "folder": .folder, "favorite": .mark("favorite"), "type": .kind(["login"]),
                "reprompt": .holds("a prompt for the master password"),
                "collections": .keeps("a collection"),
                "archiveddate": .keeps("a place in the archive"),
            ]
        ),
        ExportDialect(
            program: "Firefox",
            needed: [
                "url": .address, "username": .user, "password": .password, "httprealm": .realm,
                "formactionorigin": .sameAddress("form"),
            ],
            further: [
                "guid": .bookkeeping, "timecreated": .bookkeeping, "timelastused": .bookkeeping,
                "timepasswordchanged": .bookkeeping,
            ]
        ),
        ExportDialect(
            program: "1Password and Safari",
            needed: ["title": .title, "url": .address, "username": .user, "password": .password],
            further: [
                "otpauth": oneTime, "notes": .notes, "favorite": .mark("favorite"),
                "archived": .holds("a place in the archive"), "tags": .line("tags"),
            ]
        ),
        ExportDialect(
            program: "Chrome",
            needed: ["name": .title, "url": .address, "username": .user, "password": .password],
            further: ["note": .notes],
            authenticationType: "form"
        ),
        ExportDialect(
            program: "KeePassXC",
            needed: [
                "group": .folder, "title": .title, "username": .user, "password": .password,
                "url": .address, "notes": .notes,
            ],
            further: [
                "totp": oneTime, "icon": .bookkeeping, "last modified": .bookkeeping,
                "created": .bookkeeping,
            ]
        ),
        ExportDialect(
            program: "KeePass",
            needed: [
                "account": .title, "login name": .user, "password": .password,
                "web site": .address, "comments": .notes,
            ]
        ),
        ExportDialect(
            program: "LastPass",
            needed: [
                "url": .address, "username": .user, "password": .password, "extra": .notes,
                "name": .title, "grouping": .folder, "fav": .mark("favorite"),
            ],
            further: ["totp": oneTime]
        ),
        ExportDialect(
            program: "Dashlane",
            needed: [
                "username": .user, "username2": .keeps("a second user name"),
                "username3": .keeps("a third user name"), "title": .title, "password": .password,
                "note": .notes, "url": .address, "category": .folder,
            ],
            further: ["otpurl": oneTime, "otpsecret": oneTime]
        ),
        ExportDialect(
            program: "Proton Pass",
            needed: [
                "name": .title, "url": .address, "username": .user, "password": .password,
                "note": .notes, "totp": oneTime,
            ],
            further: [
                "type": .kind(["login"]), "email": .otherUser("email"), "vault": .folder,
                "createtime": .bookkeeping, "modifytime": .bookkeeping,
            ]
        ),
        ExportDialect(
            program: "NordPass",
            needed: nordPass,
            further: [
                "additional_urls": .keeps("further addresses"), "type": .kind(["password"]),
                "custom_fields": .keeps("custom fields"), "pin": .keeps("a card"),
            ]
        ),
        ExportDialect(
            program: "RoboForm",
            needed: [
                "name": .title, "url": .address, "matchurl": .sameAddress("match"),
                "login": .user, "pwd": .password, "note": .notes, "folder": .folder,
            ],
            further: ["rffieldsv2": .keeps("form fields")]
        ),
        ExportDialect(
            program: "Keeper",
            needed: [
                "folder": .folder, "title": .title, "login": .user, "password": .password,
                "website address": .address, "notes": .notes,
            ],
            further: [
                "shared folder": .keeps("a shared folder"),
                "custom fields": .keeps("custom fields"),
            ]
        ),
    ]

    private static let nordPass: [String: Column] = [
        "name": .title, "url": .address, "username": .user, "password": .password,
        "note": .notes, "folder": .folder, "cardholdername": .keeps("a card"),
        "cardnumber": .keeps("a card"), "cvc": .keeps("a card"),
        "expirydate": .keeps("a card"), "zipcode": .keeps("a postal address"),
        "full_name": .keeps("a name"), "phone_number": .keeps("a telephone number"),
        "email": .keeps("an e-mail address"), "address1": .keeps("a postal address"),
        "address2": .keeps("a postal address"), "city": .keeps("a postal address"),
        "country": .keeps("a postal address"), "state": .keeps("a postal address"),
    ]
}

extension ExportDialect.Column {
    /// Words that mean that an option is off.
    private static let off: Set<String> = ["0", "false", "no", "off"]

    /// Names of folders for deleted entries.
    private static let trash: Set<String> = ["recycle bin", "trash", "deleted items"]

    /// Applies the column's content to a login.
    func take(_ text: String, into login: inout ExportedLogin) throws(PlaintextError) {
        let isOn = !Self.off.contains(text.lowercased())
        switch self {
        case .title: login.title = text
        case .address: login.url = text
        case .addresses:
            login.url = text
            if text.contains(",") { login.lost.append("several addresses") }
        case .user: login.username = text
        case .realm: login.realm = text
        case .line(let label): login.add(label, text)
        case .mark(let label): if isOn { login.add(label, "yes") }
        case .keeps(let what): login.lost.append(what)
        case .holds(let what): if isOn { login.lost.append(what) }
        case .kind(let words):
            if !words.contains(text.lowercased()) { login.lost.append("another kind of entry") }
        case .folder:
            let parts = text.lowercased().split { "/\\".contains($0) }.map(String.init)
            if !Self.trash.isDisjoint(with: parts) { login.lost.append("a place in the trash") }
            login.add("folder", text)
        case .password, .notes, .otherUser, .sameAddress, .bookkeeping: break
        }
    }
}
