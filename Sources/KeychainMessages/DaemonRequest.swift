import CallerEvidence
import KeychainModel
import Secrets

/// A request to a daemon about itself, independent of its keychains.
///
/// - Source: Documentation/Spec/wire.md §7.
package enum DaemonRequest: Sendable {
    /// Returns the daemon's view of the calling program.
    case describeCaller
    /// Returns the groups that the account's owner shares with programs.
    case grants
    /// Shares a group; requires the keychain's passcode.
    case grant(AccessGrant, passcode: SharedSecret)
    /// Ends a grant; requires the keychain's passcode.
    case revoke(AccessGrant, passcode: SharedSecret)
    /// Returns the lines of the account's log after a position, oldest first.
    case log(after: LogPosition?)
    /// Verifies the account's log from its beginning.
    case verifyLog
    /// Makes one step of moving the account's keychain into or out of the daemon.
    case move(MoveRequest)
    /// Acts on a simulated device, by the words of a command such as `lock`.
    case simulate([String])
}

/// A daemon's reply about itself.
package enum DaemonReply: Sendable {
    case done
    case caller(CallerDescription)
    case grants([AccessGrant])
    case log([LogLine], next: LogPosition)
    case logVerdict(LogVerdict)
    case move(MoveReply)
    case simulated(String)
}

/// A daemon's view of a program.
package struct CallerDescription: Sendable, Hashable {
    package let judged: JudgedCaller
    /// The groups that the program may use, including grants.
    package let groups: [String]
    package let defaultGroup: String?

    package init(judged: JudgedCaller, groups: [String], defaultGroup: String?) {
        self.judged = judged
        self.groups = groups
        self.defaultGroup = defaultGroup
    }
}
