import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import MessageTransport
import Secrets

// Laws  (1) No keychain is made, and no passcode is set on a keychain without one.
//       (2) At most one attempt is counted, and none after several wrong ones: the remaining
//           attempts belong to the user.

/// A request to the daemon during a login.
struct LoginErrand {
    enum Verb: String {
        /// Unlocks with the login password.
        case unlock
        /// Changes the passcode from the old login password to the new one.
        case change
    }

    enum Outcome: Int32 {
        case done = 0
        case failed = 1
        case usage = 2
        case noDaemon = 3
        case otherPasscode = 4
        case tooManyAttempts = 5
    }

    /// After this number of wrong passcodes, a login tries none.
    private static let attemptLimit = 3

    let endpoint: any Endpoint

    /// Returns the socket of the daemon that may get the login password; nil if there is none.
    ///
    /// No variable matters, because a login has no environment yet. A protected program sends the
    /// password only to the machine's daemon, because any program of the account could listen
    /// elsewhere.
    ///
    /// - Parameter named: The path on the command line, which a protected program ignores.
    /// - Returns: The socket's path.
    static func socket(_ named: String?) -> String? {
        if RaisedGroup.isHeld { return DaemonSocket.systemPath }
        if let named { return named }
        return [DaemonSocket.systemPath, "/run/user/\(getuid())/keychaind.sock"]
            .first { access($0, F_OK) == 0 }
    }

    /// The accounts whose daemon may get the password.
    static var server: ServerAccounts { RaisedGroup.isHeld ? .machine : .any }

    func run(_ verb: Verb) -> Outcome {
        do throws(KeychainError) {
            guard case .status(let status) = try endpoint.send(DeviceRequest.status) else {
                return .failed
            }
            guard status.isPasscodeSet else { return .done }
            let passwords = LoginPasswords()
            switch verb {
            case .unlock:
                if status.lockState == .unlocked { return .done }
                guard mayTry(status) else { return .tooManyAttempts }
                guard let password = passwords.next() else { return .failed }
                _ = try endpoint.send(DeviceRequest.unlock(passcode: password))
            case .change:
                guard mayTry(status) else { return .tooManyAttempts }
                guard let old = passwords.next(), let new = passwords.next() else {
                    return .failed
                }
                _ = try endpoint.send(DeviceRequest.setPasscode(new, current: old))
            }
            return .done
        } catch {
            switch error.status {
            case .authFailed: return .otherPasscode
            case .notAvailable: return .noDaemon
            default: return .failed
            }
        }
    }

    private func mayTry(_ status: DeviceStatus) -> Bool {
        status.delaySeconds == 0 && status.failedAttempts < Self.attemptLimit
    }
}
