import Glibc

@_implementationOnly import CWitness

/// The rights of the witness.
package enum WitnessPrivileges {
    /// Gives up every right but `CAP_SYS_PTRACE`, permanently.
    ///
    /// As root, the process becomes the account `keychain-witness`, or `nobody` if there is none.
    ///
    /// - Returns: Whether the process has that right and no other; if not, it must end.
    package static func keepOne() -> Bool {
        let account = getpwnam("keychain-witness") ?? getpwnam("nobody")
        guard geteuid() != 0 || account != nil else { return false }
        let user = account?.pointee.pw_uid ?? geteuid()
        let group = account?.pointee.pw_gid ?? getegid()
        return witness_keep_one_capability(user, group) == 0
    }
}
