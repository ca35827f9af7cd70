/// Why a device was locked.
package enum LockCause: String, CaseIterable, Sendable, Hashable {
    /// Somebody asked for it.
    case requested
    /// Nobody used it for as long as its settings say.
    case idle
    /// The time of day of its settings came.
    case timeOfDay
    /// The machine slept.
    case sleep
    /// Another process locked it, or shares nothing any more.
    case elsewhere
    /// Another process set or changed the passcode.
    case passcodeChanged
    /// Its files could not be read.
    case unreadable
}
