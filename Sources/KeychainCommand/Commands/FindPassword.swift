import KeychainModel
import Secrets

/// `find-generic-password` and `find-internet-password`.
struct FindPassword: Sendable {
    private let kind: PasswordKind

    init(_ kind: PasswordKind) { self.kind = kind }

    /// Writes the first match; its secret is read only if it is to be shown.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let filter = try ItemQuery(kind: kind, arguments: arguments).filter()
        let showsSecret = arguments.has(.showPassword) || arguments.has(.onlyPassword)
        var item = try context.firstItem(filter, returning: showsSecret ? [.returnData] : [])
        if showsSecret, item.data == nil { item.data = SharedSecret(Secret(byteCount: 0) { _ in }) }
        if arguments.has(.json) {
            try context.print(JSONValue.object(ItemJSON.object(item, kind.itemClass)).page)
        } else if arguments.has(.onlyPassword) {
            try context.print(Self.line(item, as: .plain))
        } else {
            let dump = ItemDump(location: try context.location())
            try context.print(dump.page(of: item, kind.itemClass))
            guard arguments.has(.showPassword) else { return }
            try context.tell(Self.line(item, after: "password: ", as: .dump))
        }
    }

    private static func line(
        _ item: ItemDictionary,
        after lead: String = "",
        as rule: ByteRule
    ) -> Page {
        var page = Page()
        page.append(raw: lead)
        if let data = item.data { page.append(rule.secret(of: data.secret)) }
        page.append(raw: "\n")
        return page
    }
}

extension CommandContext {
    /// Where the keychain lies, for a dump.
    func location() throws(CommandFailure) -> String {
        try status().location ?? "memory"
    }
}
