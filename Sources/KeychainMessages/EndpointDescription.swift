/// Where an endpoint leads, for people.
package struct EndpointDescription: Sendable, Hashable {
    /// The kinds, by their words in `keychainctl status --json`.
    package enum Kind: String, CaseIterable, Sendable, Hashable {
        case embedded
        case userDaemon = "user-daemon"
        case systemDaemon = "system-daemon"
        case simulated
    }

    package let kind: Kind
    /// The directory, the socket or the device's name; nil where there is none.
    package let place: String?

    package init(_ kind: Kind, place: String? = nil) {
        self.kind = kind
        self.place = place
    }
}
