// ★ Table: the commands that act on a served device, as in Documentation/Spec/scenario.md §8.

import JSON
import KeychainModel
import KeychainSimulator

/// A command for a served device.
///
/// The verbs of scenario files that need no app have the same meaning here. Arguments are
/// `key=value`, or only values in the order of the table.
package enum DeviceCommand: Sendable {
    case action(DeviceAction)
    /// Advances the time, in seconds.
    case advance(Double)
    case install(SimulatedApp.Manifest)
    case uninstall(String)
    /// Whether an app runs in the background from now on; nil applies to every app.
    case execution(SimulatedApp.Execution, app: String?)
    case show(Listing, asJSON: Bool)
    case stop

    /// The reports that a command can show.
    package enum Listing: String, CaseIterable, Sendable {
        case status, prompts, findings
    }

    /// Parses the words of a command.
    ///
    /// - Throws: `errSecParam` for the first fault.
    package init(_ words: [String]) throws(KeychainError) {
        guard let first = words.first else {
            throw KeychainError(.param, "the command is missing: give one of \(Self.names)")
        }
        guard let row = ServedVerb.named(first) else {
            let shown = JSONField.quoted(first)
            throw KeychainError(.param, "there is no command \(shown): give one of \(Self.names)")
        }
        do throws(ScenarioError) {
            self = try row.read(try row.object(words.dropFirst()))
        } catch {
            let place = [row.name, error.path].filter { !$0.isEmpty }.joined(separator: " ")
            throw KeychainError(.param, "\(place): \(error.reason)")
        }
    }

    /// Whether a word is a command.
    package static func isVerb(_ word: String) -> Bool { ServedVerb.named(word) != nil }

    /// All commands, for messages.
    package static var names: String {
        ServedVerb.table.map(\.spelling).joined(separator: ", ")
    }
}

/// One command: its name, its keys in the order of values without a key, and its meaning.
struct ServedVerb: Sendable {
    typealias Read = @Sendable (JSONObject) throws(ScenarioError) -> DeviceCommand

    let name: String
    let keys: [String]
    let read: Read

    private init(_ name: String, _ keys: [String] = [], read: @escaping Read) {
        self.name = name
        self.keys = keys
        self.read = read
    }

    /// Returns the row of a word in either spelling, `setPasscode` or `set-passcode`.
    static func named(_ word: String) -> ServedVerb? {
        table.first { $0.name == word || $0.spelling == word }
    }

    /// The name in the spelling of a command line.
    var spelling: String {
        name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }

    static let table = own.prefix(1) + shared + own.dropFirst()

    /// The verbs of scenario files.
    ///
    /// `install` differs, because no file lists the apps.
    private static let shared = ScenarioVerb.deviceVerbs
        .filter { verb in !own.contains { $0.name == verb.name } }
        .map { verb in
            ServedVerb(verb.name, verb.keys) { object throws(ScenarioError) in
                guard case .device(let action) = try verb.read(object, .none) else {
                    throw ScenarioError(file: "", path: "", reason: "it needs an app")
                }
                return .action(action)
            }
        }

    private static let own = [
        listing(.status),
        ServedVerb("present", ["biometric"]) { object throws(ScenarioError) in
            var change = UserChange()
            change.biometric = .some(try object.required("biometric").textOrNull())
            return .action(.user(change))
        },
        ServedVerb("advance", ["time"]) { object throws(ScenarioError) in
            .advance(try object.required("time").seconds())
        },
        ServedVerb("install", ["app", "team", "groups", "applicationGroups"]) {
            object throws(ScenarioError) in
            .install(
                SimulatedApp.Manifest(
                    bundleIdentifier: try object.required("app").text(),
                    teamIdentifier: try object.text("team", default: "TEAMID1234"),
                    keychainAccessGroups: try object["groups"]?.texts() ?? [],
                    applicationGroups: try object["applicationGroups"]?.texts() ?? []
                )
            )
        },
        ServedVerb("uninstall", ["app"]) { object throws(ScenarioError) in
            .uninstall(try object.required("app").text())
        },
        execution(.foreground), execution(.background),
        listing(.prompts), listing(.findings),
        ServedVerb("stop") { _ throws(ScenarioError) in .stop },
    ]

    private static func listing(_ listing: DeviceCommand.Listing) -> ServedVerb {
        ServedVerb(listing.rawValue, ["json"]) { object throws(ScenarioError) in
            .show(listing, asJSON: try object["json"]?.flag() ?? false)
        }
    }

    private static func execution(_ execution: SimulatedApp.Execution) -> ServedVerb {
        ServedVerb(execution.name, ["app"]) { object throws(ScenarioError) in
            .execution(execution, app: try object["app"]?.text())
        }
    }
}

// Conversion of words to values as in files.
extension ServedVerb {
    private static let seconds: Set = ["grace", "time"]
    private static let flags: Set = ["cancels", "companion", "familiar", "json"]
    private static let lists: Set = ["groups", "applicationGroups"]
    private static let wordLimit = 16

    /// Returns the words as the object that a scenario file would contain.
    fileprivate func object(_ words: ArraySlice<String>) throws(ScenarioError) -> JSONObject {
        guard words.count <= Self.wordLimit else { throw Self.fault("", "too many words") }
        var members: [String: JSONTree<Never>] = [:]
        var open = keys[...]
        for word in words {
            let (key, value) = try assignment(word, &open)
            guard members[key] == nil else { throw Self.fault(key, "it is given twice") }
            members[key] = try Self.node(value, for: key)
        }
        return try JSONObject(JSONField(node: .object(members), path: "", file: ""), keys: keys)
    }

    /// Splits `key=value`; a value without a key belongs to the next unused key.
    private func assignment(
        _ word: String,
        _ open: inout ArraySlice<String>
    ) throws(ScenarioError) -> (key: String, value: String) {
        if let sign = word.firstIndex(of: "="), keys.contains(String(word[..<sign])) {
            return (String(word[..<sign]), String(word[word.index(after: sign)...]))
        }
        guard let key = open.popFirst() else {
            let known =
                keys.isEmpty ? "it takes no value" : "it takes \(keys.joined(separator: ", "))"
            throw Self.fault("", "too many values: \(known)")
        }
        return (key, word)
    }

    private static func node(
        _ value: String,
        for key: String
    ) throws(ScenarioError) -> JSONTree<Never> {
        if value == "null" { return .null }
        if seconds.contains(key) {
            guard let seconds = Self.seconds(value) else {
                throw fault(key, "a time such as 60s, 5m or 2h is expected")
            }
            return .fraction(seconds)
        }
        if flags.contains(key) {
            switch value {
            case "true", "yes", key: return .flag(true)
            case "false", "no": return .flag(false)
            default: throw fault(key, "yes or no is expected")
            }
        }
        if lists.contains(key) {
            return .list(value.split(separator: ",").map { .text(String($0)) })
        }
        return .text(value)
    }

    /// Returns the seconds of a time such as `60s`, `5m` or `0.5`; nil for any other word.
    private static func seconds(_ word: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = word.last.flatMap { units[$0] }
        let number = unit == nil ? word[...] : word.dropLast()
        guard let value = Double(number), value.isFinite, !number.isEmpty else { return nil }
        return value * (unit ?? 1)
    }

    private static func fault(_ key: String, _ reason: String) -> ScenarioError {
        ScenarioError(file: "", path: key, reason: reason)
    }
}

extension ScenarioNames {
    /// The names in a scenario, of which there are none without a file.
    fileprivate static let none = ScenarioNames(devices: [], apps: [], items: [])
}
