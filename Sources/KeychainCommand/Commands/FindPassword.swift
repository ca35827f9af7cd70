import KeychainModel
import Secrets

/// `find-generic-password` and `find-internet-password`.
struct FindPassword: Sendable {
    private let kind: PasswordKind

    init(_ kind: PasswordKind) { self.kind = kind }

    /// Writes the first match; reads its secret only to show it.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let filter = try ItemQuery(kind: kind, arguments: arguments).filter()
        let isRaw = arguments.has(.raw)
        guard !isRaw || !arguments.has(.json) else { throw .usage("give either --raw or --json") }
        guard !isRaw || !context.terminal.outputIsTerminal else {
            throw .usage("--raw writes to a file or pipe only: give -w to see the password")
        }
        let showsSecret =
            isRaw || arguments.has(.showPassword) || arguments.has(.onlyPassword)
        var item = try firstItem(filter, showsSecret, context)
        if showsSecret, item.data == nil { item.data = SharedSecret(Secret(byteCount: 0) { _ in }) }
        if isRaw {
            var page = Page()
            if let data = item.data {
                page.append(data.secret.withUnsafeBytes { Secret(copying: $0) })
            }
            try context.print(page)
        } else if arguments.has(.json) {
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

    /// Returns the first match; if it does not open, reports why and counts the other matches.
    ///
    /// No other match replaces it, because a script would then get another password.
    private func firstItem(
        _ filter: AttributeDictionary,
        _ showsSecret: Bool,
        _ context: CommandContext
    ) throws(CommandFailure) -> ItemDictionary {
        do throws(CommandFailure) {
            return try context.firstItem(filter, returning: showsSecret ? [.returnData] : [])
        } catch .keychain(let error) where error.isOutOfReach {
            let listing = try context.listing(of: kind.itemClass, where: filter, returning: [])
            guard listing.items.count + listing.outOfReach.count > 1 else { throw .keychain(error) }
            var reach = OutOfReach()
            for item in listing.outOfReach { reach.add(item) }
            try reach.tell(context)
            for item in listing.items {
                let name = item.attributes.words(for: kind.itemClass)
                try context.note("note: this item matches too and is in reach: \(name)")
            }
            throw .keychain(error)
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
    /// Returns the location of the keychain, for a dump.
    func location() throws(CommandFailure) -> String {
        try status().location ?? "memory"
    }
}
