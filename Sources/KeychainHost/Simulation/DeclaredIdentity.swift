import KeychainModel

/// The identity that a program declares to a simulated device in another process.
///
/// A simulated device guards nothing, so it accepts a declaration, like an embedded keychain. The
/// declaration travels as the words of a command, which no other daemon accepts.
/// - Source: Documentation/Spec/scenario.md §8.
package struct DeclaredIdentity: Sendable, Hashable {
    private static let verb = "declare"
    /// The most words of a declaration.
    private static let groupLimit = 256

    private enum Key: String {
        case name, identifier, group
        case applicationGroup = "application-group"
    }

    /// The entitlements of the program; nil if it has none.
    package let entitlements: Entitlements?
    /// The bundle identifier, or else the executable's name.
    package let name: String

    package init(entitlements: Entitlements?, name: String) {
        self.entitlements = entitlements
        self.name = name
    }

    /// Creates a process's declaration from the files and variables of an embedded keychain.
    ///
    /// - Throws: `errSecMissingEntitlement` for a named file that cannot be read.
    package init(of environment: ProcessEnvironment) throws(KeychainError) {
        let identity = try CallerIdentity(environment)
        self.init(entitlements: identity.declaredEntitlements, name: identity.fallbackGroup)
    }

    /// The declaration as the words of a command.
    package var words: [String] {
        var pairs: [(Key, String)] = [(.name, name)]
        if let entitlements {
            pairs.append((.identifier, entitlements.applicationIdentifier ?? ""))
            pairs += entitlements.keychainAccessGroups.map { (.group, $0) }
            pairs += entitlements.applicationGroups.map { (.applicationGroup, $0) }
        }
        return [Self.verb] + pairs.map { "\($0.rawValue)=\($1)" }
    }

    /// Whether the words of a command are a declaration.
    package static func isMeant(by words: [String]) -> Bool { words.first == verb }

    /// Parses a declaration.
    ///
    /// - Throws: `errSecParam` for other words.
    package init(words: [String]) throws(KeychainError) {
        guard Self.isMeant(by: words), words.count <= Self.groupLimit else { throw Self.refusal }
        var name: String?
        var entitlements: Entitlements?
        for word in words.dropFirst() {
            guard let sign = word.firstIndex(of: "="),
                let key = Key(rawValue: String(word[..<sign]))
            else { throw Self.refusal }
            let value = String(word[word.index(after: sign)...])
            if key == .name {
                name = value
                continue
            }
            var declared = entitlements ?? Entitlements()
            switch key {
            case .name: break
            case .identifier: declared.applicationIdentifier = value.isEmpty ? nil : value
            case .group: declared.keychainAccessGroups.append(value)
            case .applicationGroup: declared.applicationGroups.append(value)
            }
            entitlements = declared
        }
        guard let name, !name.isEmpty else { throw Self.refusal }
        self.init(entitlements: entitlements, name: name)
    }

    private static let refusal = KeychainError(
        .param,
        "the program's declaration of its name and groups cannot be read"
    )
}
