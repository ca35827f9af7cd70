/// A session as logind describes it.
///
/// - Source: org.freedesktop.login1(5), "Session Objects".
package struct LoginSession: Sendable, Hashable {
    /// Classes of sessions without a logged-in user.
    private static let classesOfNobody = ["manager", "background", "greeter"]

    /// The identifier, such as `2` or `c1`.
    package var id: String
    /// The path of the session's object.
    package var path: String
    package var userID: UInt32
    /// The class, such as `user`.
    package var kind: String
    /// `online`, `active` or `closing`.
    package var state: String
    /// Whether the session is in the foreground of its seat.
    package var isActive: Bool
    /// Whether the session's screen lock is on, as the screen lock itself reports.
    package var isScreenLocked: Bool

    package init(
        id: String,
        path: String,
        userID: UInt32,
        kind: String = "user",
        state: String = "active",
        isActive: Bool = true,
        isScreenLocked: Bool = false
    ) {
        self.id = id
        self.path = path
        self.userID = userID
        self.kind = kind
        self.state = state
        self.isActive = isActive
        self.isScreenLocked = isScreenLocked
    }

    /// Whether a user is logged in, and the session is not closing.
    package var isUsed: Bool {
        state != "closing" && !Self.classesOfNobody.contains { kind.hasPrefix($0) }
    }
}
