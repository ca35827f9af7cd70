import Foundation
import LintRules

/// The settings of a project for itself and for the rules; a JSON file.
package struct Configuration: Sendable, Codable {
    /// `iOS` or `macOS`; nil if the linter should find out.
    package var platform: String?
    /// `documented` or `appleSource`: the answer to follow if documents and source differ.
    package var profile: String?
    /// Severities by rule number or name: `off`, `note`, `warning`, `error`.
    package var rules: [String: String]?
    /// Words in the names of the team's own keychain functions, besides "keychain".
    package var wrappers: [String]?
    /// Functions that wait until protected data is available.
    package var gates: [String]?
    /// Functions that keep several items consistent, so that they may delete and add.
    package var transactions: [String]?
    /// The prefix of the team, to resolve `$(AppIdentifierPrefix)`.
    package var teamIdentifier: String?
    /// The seconds of allowable reuse from which a warning follows [60].
    package var reuseDuration: Double?
    /// Parts of paths to leave out.
    package var exclude: [String]?
    /// Whether a macOS target without entitlements has to use the data protection keychain [yes].
    package var dataProtectionKeychain: Bool?
    /// Whether rules report errors that are warnings otherwise; the same as `--strict`.
    package var strict: Bool?

    package init() {}

    package static func load(_ path: String) throws -> Configuration {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationError("\(path): there is no such file, or it is not readable.")
        }
        let configuration: Configuration
        do {
            configuration = try JSONDecoder().decode(Configuration.self, from: data)
        } catch DecodingError.typeMismatch(_, let context) where !context.codingPath.isEmpty {
            let key = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw ConfigurationError("\(path): the value of \"\(key)\" has the wrong type.")
        } catch {
            throw ConfigurationError("\(path): this is no JSON object of settings.")
        }
        try configuration.validate(path, data)
        return configuration
    }

    /// Throws an error with an unknown key or value, so that a misspelled line does not go
    /// unnoticed.
    private func validate(_ path: String, _ data: Data) throws {
        let known = Set(CodingKeys.allCases.map(\.stringValue))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        if let key = object.keys.sorted().first(where: { !known.contains($0) }) {
            let all = known.sorted().joined(separator: ", ")
            throw ConfigurationError("\(path): unknown key \"\(key)\". The keys are \(all).")
        }
        for (rule, value) in rules ?? [:] {
            guard Catalogue.rule(named: rule) != nil else {
                throw ConfigurationError("\(path): no rule is called \"\(rule)\".")
            }
            guard value == "off" || Severity(rawValue: value) != nil else {
                let rule = "\(path): \"\(value)\" is no severity."
                throw ConfigurationError("\(rule) Write off, note, warning or error.")
            }
        }
        if let profile, !["documented", "appleSource"].contains(profile) {
            throw ConfigurationError("\(path): profile is documented or appleSource.")
        }
        if let platform, !["iOS", "macOS"].contains(platform) {
            throw ConfigurationError("\(path): platform is iOS or macOS.")
        }
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case platform, profile, rules, wrappers, gates, transactions, teamIdentifier, reuseDuration
        case exclude, dataProtectionKeychain, strict
    }

    /// Returns the severity that the project gives a rule; `.some(nil)` if it is off.
    package func severity(of rule: Rule) -> Severity?? {
        guard let value = rules?[rule.id] ?? rules?[rule.name] else { return nil }
        return .some(Severity(rawValue: value))
    }

    package var followsAppleSource: Bool { profile == "appleSource" }
}

/// An error about a file of the linter's own that it cannot use.
package struct ConfigurationError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
