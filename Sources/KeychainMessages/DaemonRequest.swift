import CallerEvidence
import KeychainModel
import Secrets

/// What can be asked of a daemon itself, beside what its keychains answer.
///
/// - Source: Documentation/Spec/wire.md §7.
package enum DaemonRequest: Sendable {
    /// How the daemon sees the program that asks.
    case describeCaller
    /// What the account's owner shares with programs.
    case grants
    /// Shares a group; only with the keychain's passcode.
    case grant(AccessGrant, passcode: SharedSecret)
    /// Ends what was shared; only with the keychain's passcode.
    case revoke(AccessGrant, passcode: SharedSecret)
    /// The lines of the account's log behind a position, oldest first.
    case log(after: LogPosition?)
    /// Checks the account's log from its beginning.
    case verifyLog
    /// One step of moving the account's keychain into or out of the daemon.
    case move(MoveRequest)
    /// Acts on a simulated device: the words of a command, such as `lock`.
    case simulate([String])
}

/// What a daemon answers about itself.
package enum DaemonReply: Sendable {
    case done
    case caller(CallerDescription)
    case grants([AccessGrant])
    case log([LogLine], next: LogPosition)
    case logVerdict(LogVerdict)
    case move(MoveReply)
    case simulated(String)
}

/// How a daemon sees a program.
package struct CallerDescription: Sendable, Hashable {
    package let judged: JudgedCaller
    /// The groups that the program may use, grants among them.
    package let groups: [String]
    package let defaultGroup: String?

    package init(judged: JudgedCaller, groups: [String], defaultGroup: String?) {
        self.judged = judged
        self.groups = groups
        self.defaultGroup = defaultGroup
    }
}
