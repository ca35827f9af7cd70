/// An event of the device, or a keychain call of one of its two apps.
package enum WalkStep: Sendable, Hashable {
    case lock(graceSeconds: Int)
    case unlock(passcode: String)
    case reboot
    case advance(seconds: Int)
    case setPasscode(String, current: String?)
    case removePasscode(current: String)
    case erase
    case add(app: Int, WalkItem)
    case find(app: Int, WalkQuery, all: Bool)
    case update(app: Int, WalkQuery, WalkChange)
    case delete(app: Int, WalkQuery)
}

/// A generic password to add.
package struct WalkItem: Sendable, Hashable {
    package var account: String
    package var service: String
    /// The access group; nil for the app's default group.
    package var group: String?
    package var isSynchronizable: Bool
    package var accessible: String
    package var label: String?
    package var value: String
    package var pairs: [String: String] = [:]
}

/// A query for generic passwords; nil matches any value.
package struct WalkQuery: Sendable, Hashable {
    package enum Synchronizable: Sendable, Hashable { case local, synchronized, any }

    package var account: String?
    package var service: String?
    package var group: String?
    package var synchronizable = Synchronizable.local
    /// The lookup pairs, all of which have to match.
    package var pairs: [String: String] = [:]
}

/// The changes of an update; nil keeps a value.
package struct WalkChange: Sendable, Hashable {
    package var value: String?
    package var label: String?
    package var accessible: String?
    package var group: String?
    package var pairs: [String: String]?
}

/// The outcome of a step.
package struct WalkOutcome: Sendable, Hashable {
    package var status: Int32 = 0
    /// The items that were found, each as a sentence, in order.
    package var found: [String] = []

    /// Returns the pairs of an item as a part of a sentence.
    package static func text(of pairs: [String: String]) -> String {
        let sorted = pairs.sorted { $0.key < $1.key }
        return pairs.isEmpty ? "-" : sorted.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }
}

/// A subject that performs steps: the device, or the reference.
package protocol WalkSubject {
    mutating func take(_ step: WalkStep) -> WalkOutcome
}

/// The two apps of a walk, with the groups that each may name, the default first.
package enum WalkApps {
    package static let shared = "TEAMID1234.shared"
    package static let identifiers = ["com.example.first", "com.example.second"]

    package static func own(_ app: Int) -> String { "TEAMID1234." + identifiers[app] }
    package static func groups(of app: Int) -> [String] { [shared, own(app)] }
}
