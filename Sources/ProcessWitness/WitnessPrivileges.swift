import Glibc

@_implementationOnly import CWitness

/// The rights of the witness.
package enum WitnessPrivileges {
    /// Gives up every right except `CAP_SYS_PTRACE` permanently.
    ///
    /// As root, the process becomes the account `keychain-witness`, or `nobody` if there is no such
    /// account.
    ///
    /// - Returns: Whether the process has exactly that right; if not, it must end.
    package static func keepOne() -> Bool {
        let account = getpwnam("keychain-witness") ?? getpwnam("nobody")
        guard geteuid() != 0 || account != nil else { return false }
        let user = account?.pointee.pw_uid ?? geteuid()
        let group = account?.pointee.pw_gid ?? getegid()
        return witness_keep_one_capability(user, group) == 0
    }
}
