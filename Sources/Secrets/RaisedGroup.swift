import Glibc

@_implementationOnly import CProcess

// Laws  (1) No program that this process starts gets the group that its set-group-ID bit raised.
//       (2) No file that it makes belongs to that group.
//       An account with that group can trace programs that run with only that group, such as the
//       dialog of a protected agent.

/// The group that a protected program has because of its file, and that the user's other programs
/// lack.
///
/// Only executables of this package use it.
/// - Source: credentials(7); setfsgid(2); ptrace(2), "Ptrace access mode checking".
package enum RaisedGroup {
    /// Uses the user's own group for files, on this thread and on those that it starts.
    ///
    /// Call it before there are other threads.
    package static func keepFromFiles() { process_set_file_group(getgid()) }

    /// Whether this process has such a group.
    ///
    /// Any program of the account can start it, with any variables and arguments.
    package static var isHeld: Bool { getegid() != getgid() || geteuid() != getuid() }

    /// Gives the group up permanently, before another program replaces this one.
    ///
    /// - Returns: Whether the group is gone.
    package static func drop() -> Bool {
        let own = getgid()
        guard getegid() != own || process_has_saved_group(own) == 0 else { return true }
        return process_set_groups(own, own, own) == 0
    }
}
