import LintAnalysis
import LintModel

/// An item that code adds, with the facts that a simulated device needs.
package struct CheckedItem: Sendable {
    /// The place at which the code adds it.
    package let place: Place
    let itemClass: ItemClass
    let account: String
    /// The service, or the server of an internet password.
    let service: String
    let group: String?
    /// The name of the constant without `kSecAttrAccessible`; nil for the default.
    let accessible: String?
    let flags: [String]
    /// The attributes whose values the code computes; the check made up values for them.
    let madeUp: [String]

    /// The accessibility and the flags, as text for people.
    var protection: String {
        ([accessible ?? "default (WhenUnlocked)"] + flags).joined(separator: " ")
    }

    /// The service and account, if the code names them.
    var name: String {
        let names = [shownService, shownAccount].compactMap { $0 }
        return names.isEmpty ? "without a known name" : names.joined(separator: "/")
    }

    /// The account; nil if the check made it up.
    var shownAccount: String? { madeUp.contains("kSecAttrAccount") ? nil : account }

    /// The service; nil if the check made it up.
    var shownService: String? {
        madeUp.contains { $0 == "kSecAttrService" || $0 == "kSecAttrServer" } ? nil : service
    }
}

/// An add that no simulated device can replay, with the reason.
package struct UnresolvedAdd: Sendable {
    let place: Place
    let reason: String
}

/// The adds of a project.
package struct ResolvedAdds: Sendable {
    package private(set) var items: [CheckedItem] = []
    package private(set) var unresolved: [UnresolvedAdd] = []

    package init(_ project: Project) {
        for file in project.files where !file.file.isTest {
            for use in file.uses where use.isAdd {
                let place = file.file.place(use.node)
                do throws(Gap) {
                    items.append(try Self.item(use.dictionary, place))
                } catch {
                    unresolved.append(UnresolvedAdd(place: place, reason: error.reason))
                }
            }
            unresolved += Self.unseen(file)
        }
    }

    /// Returns the calls whose dictionary comes from code that is not in view.
    private static func unseen(_ file: FileAnalysis) -> [UnresolvedAdd] {
        let seen = Set(file.uses.filter { $0.role == .add }.compactMap { $0.call?.start })
        return file.calls.filter { $0.name == "SecItemAdd" && !seen.contains($0.start) }.map {
            UnresolvedAdd(
                place: file.file.place($0.node),
                reason: "the dictionary comes from other code"
            )
        }
    }

    private struct Gap: Error { let reason: String }

    private static func item(
        _ dictionary: QueryDictionary,
        _ place: Place
    ) throws(Gap) -> CheckedItem {
        guard !dictionary.isOpen else {
            throw Gap(reason: "other code may add keys to the dictionary")
        }
        guard let itemClass = dictionary.itemClass else { throw Gap(reason: "unknown class") }
        guard itemClass.isPassword else {
            throw Gap(reason: "scenarios have passwords only, and this is no password")
        }
        if let key = dictionary.keys.first(where: { dictionary.certain($0) == nil }) {
            throw Gap(reason: "\(key) is set on some paths only")
        }
        guard dictionary["kSecAttrSynchronizable"].map({ $0.value.bool == false }) ?? true else {
            throw Gap(reason: "scenarios have no synchronizable items")
        }
        let (accessible, flags) = try protection(dictionary)
        if flags.contains("applicationPassword"),
            dictionary["kSecUseAuthenticationContext"] != nil
        {
            throw Gap(reason: "needs an application password, which only the LAContext has")
        }
        let placeKey = itemClass == .genericPassword ? "kSecAttrService" : "kSecAttrServer"
        var madeUp: [String] = []
        let account = text("kSecAttrAccount", "account", dictionary, &madeUp)
        let service = text(placeKey, "example.com", dictionary, &madeUp)
        var group: String?
        if let entry = dictionary["kSecAttrAccessGroup"] {
            guard let known = entry.value.string else { throw Gap(reason: "unknown group") }
            group = known
        }
        return CheckedItem(
            place: place,
            itemClass: itemClass,
            account: account,
            service: service,
            group: group,
            accessible: accessible,
            flags: flags,
            madeUp: madeUp
        )
    }

    /// Returns the text of an attribute; one that only the program knows does not change the
    /// outcome.
    private static func text(
        _ key: String,
        _ substitute: String,
        _ dictionary: QueryDictionary,
        _ madeUp: inout [String]
    ) -> String {
        guard let text = dictionary[key]?.value.string, !text.isEmpty, text.count <= 256 else {
            madeUp.append(key)
            return substitute
        }
        return text
    }

    private static func protection(
        _ dictionary: QueryDictionary
    ) throws(Gap) -> (accessible: String?, flags: [String]) {
        let prefix = "kSecAttrAccessible"
        if let entry = dictionary["kSecAttrAccessControl"] {
            guard dictionary["kSecAttrAccessible"] == nil else {
                throw Gap(reason: "it has both kSecAttrAccessible and kSecAttrAccessControl")
            }
            guard let control = entry.value.accessControl, let flags = control.flags,
                let protection = control.protection, protection.hasPrefix(prefix)
            else { throw Gap(reason: "unknown access control") }
            return (String(protection.dropFirst(prefix.count)), flags)
        }
        guard let entry = dictionary["kSecAttrAccessible"] else { return (nil, []) }
        guard let name = entry.value.name, name.hasPrefix(prefix) else {
            throw Gap(reason: "unknown accessibility")
        }
        return (String(name.dropFirst(prefix.count)), [])
    }
}
