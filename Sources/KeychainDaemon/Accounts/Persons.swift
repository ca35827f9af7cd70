import Glibc
import KeychainSockets
import Secrets

// Definitions  "person": the user ID that an account's resources are charged to: its own, or
//              that of the owner of its range of subordinate IDs.
//
// A person can become any of their subordinate accounts without permission (newuidmap(1)), 65,536
// of them on most systems. So their use counts for the person.
//
// Source: subuid(5).

/// The person for each account.
package struct PersonTable: Sendable {
    private struct Range: Sendable {
        let accounts: ClosedRange<UInt32>
        let person: UInt32
    }

    private var ranges: [Range] = []

    /// Creates a table without subordinate accounts.
    package init() {}

    /// Parses the text of `/etc/subuid`.
    ///
    /// - Parameters:
    ///   - text: Lines such as `ada:100000:65536`; others are skipped.
    ///   - number: Returns the user ID of a name; nil for an unknown name.
    package init(_ text: String, number: (String) -> UInt32?) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 3, let first = UInt32(fields[1]), first > 0,
                let count = UInt32(fields[2]), count > 0,
                let last = UInt32(exactly: UInt64(first) + UInt64(count) - 1),
                let person = UInt32(fields[0]) ?? number(String(fields[0]))
            else { continue }
            ranges.append(Range(accounts: first...last, person: person))
        }
    }

    /// Returns the person that an account is charged to.
    package func person(of account: UInt32) -> UInt32 {
        ranges.first { $0.accounts.contains(account) }?.person ?? account
    }
}

/// The persons of this machine, according to `/etc/subuid`.
package final class Persons: Sendable {
    private struct State: Sendable {
        var table = PersonTable()
        var stamp: Stamp?
        /// The time of the last check of the file, in seconds.
        var lookedAt = 0
    }

    private struct Stamp: Equatable, Sendable {
        let inode: UInt64
        let seconds: Int
        let nanoseconds: Int
    }

    /// The most bytes of a file of subordinate IDs.
    private static let byteCountLimit = 16 << 20

    private let path: String
    private let state: AdaptiveMutex<State>

    package init(path: String = "/etc/subuid") {
        self.path = path
        state = AdaptiveMutex(
            State(table: Self.read(path), stamp: Self.stamp(of: path), lookedAt: Self.seconds())
        )
    }

    /// Returns the person that an account is charged to.
    ///
    /// A changed file is read again on a thread of its own, at most once a second. Names may be
    /// looked up in a directory service, and no call waits for that.
    package func person(of account: UInt32) -> UInt32 {
        let now = Self.seconds()
        let (table, isDue) = state.withLock { state in
            let isDue = state.lookedAt != now
            state.lookedAt = now
            return (state.table, isDue)
        }
        if isDue { follow() }
        return table.person(of: account)
    }

    private func follow() {
        let stamp = Self.stamp(of: path)
        guard state.withLock({ $0.stamp }) != stamp else { return }
        // Without a thread, the next check is in a second.
        _ = DetachedThread.start { [self] in
            let table = Self.read(path)
            state.withLock { state in
                state.table = table
                state.stamp = stamp
            }
        }
    }

    private static func seconds() -> Int {
        var now = timespec()
        return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec : 0
    }

    private static func stamp(of path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            inode: UInt64(status.st_ino),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }

    private static func read(_ path: String) -> PersonTable {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return PersonTable() }
        defer { close(number) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < byteCountLimit {
            let count = Glibc.read(number, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return PersonTable(String(decoding: bytes, as: UTF8.self), number: AccountName.number(of:))
    }
}
