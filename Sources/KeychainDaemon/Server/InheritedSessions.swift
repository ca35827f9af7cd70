import Glibc
import Secrets

/// What a system daemon got from systemd: sessions that outlived a restart, and passcodes.
final class InheritedSessions: Sendable {
    let unlock: AccountUnlock
    private let keeper: (any DescriptorKeeper)?
    private let kept: [UInt32: Int32]
    private let storages = AdaptiveMutex<[UInt32: KeptSessionStorage]>([:])

    /// - Parameter isFromSystemd: Whether what systemd passed counts at all.
    init(isFromSystemd: Bool) {
        let inherited = InheritedDescriptors()
        keeper = isFromSystemd ? SystemdDescriptorStore() : nil
        kept = isFromSystemd ? inherited.keptSessions : [:]
        unlock = AccountUnlock(
            directory: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) },
            descriptors: isFromSystemd ? inherited.passcodes : [:]
        )
    }

    /// Where the session of an account is kept, for as long as this process runs.
    func storage(of account: UInt32) -> KeptSessionStorage {
        storages.withLock { storages in
            if let known = storages[account] { return known }
            let made = KeptSessionStorage(of: account, keeper: keeper, kept: kept[account])
            storages[account] = made
            return made
        }
    }
}
