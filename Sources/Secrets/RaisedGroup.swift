import Glibc

@_implementationOnly import CProcess

// Laws  (1) No program that this process starts gets the group that its set-group-ID bit raised.
//       (2) No file that it makes belongs to that group.
//       Whoever has the group as the account can trace what runs with that group alone, such as the
//       dialog of a protected agent.

/// The group that a protected program has because of its file, and the person's other programs
/// lack.
///
/// For our own executables only.
/// - Source: credentials(7); setfsgid(2); ptrace(2), "Ptrace access mode checking".
package enum RaisedGroup {
    /// Uses the person's own group for files, on this thread and those that it starts.
    ///
    /// To be called before there are others.
    package static func keepFromFiles() { process_set_file_group(getgid()) }

    /// Whether this process has such a group: every program of the account can start it, with
    /// variables and arguments of its choice.
    package static var isHeld: Bool { getegid() != getgid() || geteuid() != getuid() }

    /// Gives the group up for good, before another program takes the place of this one.
    ///
    /// - Returns: Whether it is gone.
    package static func drop() -> Bool {
        let own = getgid()
        guard getegid() != own || process_has_saved_group(own) == 0 else { return true }
        return process_set_groups(own, own, own) == 0
    }
}
