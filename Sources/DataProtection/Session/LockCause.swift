/// The cause of a lock.
package enum LockCause: String, CaseIterable, Sendable, Hashable {
    /// A user or program requested it.
    case requested
    /// The device was idle for the time in its settings.
    case idle
    /// The time of day in its settings was reached.
    case timeOfDay
    /// The machine slept.
    case sleep
    /// Another process locked it, or no longer shares a session.
    case elsewhere
    /// Another process set or changed the passcode.
    case passcodeChanged
    /// Its files could not be read.
    case unreadable
}
