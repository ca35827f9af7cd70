import Foundation

/// A part of the project that becomes one product.
///
/// It is a directory with its own property list or entitlements, and everything below it.
package struct Target: Sendable {
    package enum Kind: Sendable { case app, appExtension, test, package, daemon, unknown }

    /// The directory, in the form that reports show; empty for the root.
    package let directory: String
    package let kind: Kind
    /// Whether it is for macOS; nil if that is unknown.
    package let isMacOS: Bool?
    package let info: PropertyList?
    package let entitlements: PropertyList?

    package var isExtension: Bool { kind == .appExtension }

    /// The access groups in the entitlements; nil without entitlements.
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
    /// The values at the top level, as texts or lists of texts.
    package let values: [String: [String]]
    /// The names of all keys at the top level.
    package let keys: [String]
    /// The keys with a true value in some dictionary of the list.
    package let trueKeys: Set<String>

    package func strings(_ key: String) -> [String] { values[key] ?? [] }

    /// Returns the line that names a key.
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

    /// Reads a build configuration with a `NAME = value` on each line.
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
