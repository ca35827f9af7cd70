import Glibc
import KeychainHost
import KeychainModel
import Synchronization

/// The limit of a person's subordinate keychains to the space of one account.
///
/// - Source: SECURITY.md, "Resources".
final class SubordinateKeychains: Sendable {
    /// The most keychains; each gets an equal part of `--account-size`.
    static let limit = 16

    /// Held for one account at a time, so that the count is exact.
    private let turn = Mutex<Void>(())

    /// Creates the directory of a subordinate account's keychain, if the limit allows it.
    ///
    /// - Throws: `errSecDiskFull` with the number.
    func require(
        _ account: UInt32,
        of person: UInt32,
        in state: String,
        _ persons: Persons
    ) throws(KeychainError) {
        let directory = "\(state)/\(account)"
        let count = turn.withLock { _ -> Int? in
            guard access(directory, F_OK) != 0 else { return nil }
            let names = (try? MoveFolder.names(in: state)) ?? []
            let count = names.count { name in
                guard let other = UInt32(name), other != person else { return false }
                return persons.person(of: other) == person
            }
            // Opening the keychain checks the directory, and reports if it could not be created.
            if count < Self.limit { mkdir(directory, 0o700) }
            return count
        }
        guard let count, count >= Self.limit else { return }
        let reason =
            "account \(account) is a subordinate one of account \(person), whose subordinate"
            + " accounts have \(count) keychains already, which is the limit: root can remove those"
            + " that are not used from \(state)"
        throw KeychainError(.diskFull, reason)
    }
}
