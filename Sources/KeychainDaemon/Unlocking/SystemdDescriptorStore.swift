import Glibc

@_implementationOnly import CSystemd

/// systemd's store of descriptors, which it returns to a service at its next start.
///
/// - Source: sd_pid_notify_with_fds(3); systemd.service(5), `FileDescriptorStoreMax=`.
package struct SystemdDescriptorStore: DescriptorKeeper {
    /// Returns nil if systemd does not manage this process.
    package init?() {
        guard getenv("NOTIFY_SOCKET") != nil else { return nil }
    }

    package func keep(_ descriptor: Int32, as name: String) -> Bool {
        withUnsafePointer(to: descriptor) { descriptors in
            sd_pid_notify_with_fds(0, 0, "FDSTORE=1\nFDNAME=\(name)", descriptors, 1) > 0
        }
    }

    package func forget(_ name: String) {
        _ = sd_pid_notify(0, 0, "FDSTOREREMOVE=1\nFDNAME=\(name)")
    }
}

/// The descriptors that systemd passed to this process at its start, by name.
package struct InheritedDescriptors: Sendable {
    private static let first: Int32 = 3

    /// The number and name of each, in order.
    package let all: [(number: Int32, name: String)]

    /// Reads the descriptors; there are none if systemd did not start this process.
    package init() {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(0, &names)
        var all: [(number: Int32, name: String)] = []
        for index in 0..<max(0, count) {
            let name = names?[Int(index)]
            all.append((Self.first + index, name.map { String(cString: $0) } ?? ""))
            free(name)
        }
        free(names)
        self.all = all
    }

    /// The kept session images, by account.
    package var keptSessions: [UInt32: Int32] { byAccount(KeptSessionStorage.account) }

    /// Open files with passcodes, by account: `OpenFile=PATH:keychain.UID:read-only` in the unit.
    package var passcodes: [UInt32: Int32] { byAccount(AccountUnlock.account) }

    private func byAccount(_ account: (String) -> UInt32?) -> [UInt32: Int32] {
        let pairs = all.compactMap { entry in account(entry.name).map { ($0, entry.number) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
