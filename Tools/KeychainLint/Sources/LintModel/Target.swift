import Foundation

/// A part of the project that becomes one product: a directory with a property list or
/// entitlements of its own, and what is below it.
package struct Target: Sendable {
    package enum Kind: Sendable { case app, appExtension, test, package, daemon, unknown }

    /// The directory, as it appears in reports; empty for the root.
    package let directory: String
    package let kind: Kind
    /// Whether it is for macOS, or nil if nothing says so.
    package let isMacOS: Bool?
    package let info: PropertyList?
    package let entitlements: PropertyList?

    package var isExtension: Bool { kind == .appExtension }

    /// Access groups that the entitlements grant, or nil without entitlements.
    package var accessGroups: [String]? {
        guard let entitlements else { return nil }
        var groups = entitlements.strings("keychain-access-groups")
        groups += entitlements.strings("com.apple.security.application-groups")
        groups += entitlements.strings("application-identifier")
        groups += entitlements.strings("com.apple.application-identifier")
        return groups
    }

    package var keychainGroups: [String] { entitlements?.strings("keychain-access-groups") ?? [] }

    package var applicationGroups: [String] {
        entitlements?.strings("com.apple.security.application-groups") ?? []
    }
}

/// A property list of the project: `Info.plist`, entitlements, or a build configuration.
package struct PropertyList: Sendable {
    package let source: SourceText
    /// Values at the top, as text or lists of texts.
    package let values: [String: [String]]
    /// Names of all keys at the top.
    package let keys: [String]
    /// Whether some dictionary in it has this key with a true value.
    package let trueKeys: Set<String>

    package func strings(_ key: String) -> [String] { values[key] ?? [] }

    /// The line that names a key.
    package func place(of key: String) -> Place {
        let number = (1...source.lineCount).first { source.line($0).contains(key) }
        return source.place(ofLine: number ?? 1)
    }

    package init(source: SourceText) {
        self.source = source
        var values: [String: [String]] = [:]
        var trueKeys: Set<String> = []
        let object = try? PropertyListSerialization.propertyList(
            from: Data(source.text.utf8),
            format: nil
        )
        let top = object as? [String: Any] ?? [:]
        for (key, value) in top {
            if let text = value as? String { values[key] = [text] }
            if let list = value as? [String] { values[key] = list }
        }
        Self.collect(top, into: &trueKeys)
        self.values = values
        keys = top.keys.sorted()
        self.trueKeys = trueKeys
    }

    /// A build configuration: `NAME = value` a line.
    package init(buildSettings source: SourceText) {
        self.source = source
        var values: [String: [String]] = [:]
        for number in 1...source.lineCount {
            let line = source.line(number)
            guard let equals = line.firstIndex(of: "="), !line.hasPrefix("//") else { continue }
            let key = line[..<equals].filter { !$0.isWhitespace }
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            values[key] = [value]
        }
        self.values = values
        keys = values.keys.sorted()
        trueKeys = []
    }

    private static func collect(_ object: Any, into keys: inout Set<String>) {
        guard let dictionary = object as? [String: Any] else { return }
        for (key, value) in dictionary {
            if (value as? Bool) == true { keys.insert(key) }
            collect(value, into: &keys)
        }
    }
}
