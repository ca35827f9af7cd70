/// A session as logind describes it.
///
/// - Source: org.freedesktop.login1(5), "Session Objects".
package struct LoginSession: Sendable, Hashable {
    /// Classes of sessions in which nobody is logged in.
    private static let classesOfNobody = ["manager", "background", "greeter"]

    /// The identifier, such as `2` or `c1`.
    package var id: String
    /// The path of its object.
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

    /// Whether somebody is logged in, and the session is not about to end.
    package var isUsed: Bool {
        state != "closing" && !Self.classesOfNobody.contains { kind.hasPrefix($0) }
    }
}
