import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import MessageTransport
import Secrets

// Laws  (1) No keychain is made, and no passcode is set where there is none.
//       (2) At most one attempt is counted, and none where wrong ones were made before: the guesses
//           that are left belong to people.

/// What a login has the daemon do.
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

    /// As many wrong passcodes end what a login tries.
    private static let attemptLimit = 3

    let endpoint: any Endpoint

    /// Where the daemon listens that may have the login password; nil if there is none.
    ///
    /// No variable has a say: a login has no environment yet. A protected program gives the
    /// password to the machine's daemon alone: any program of the account could listen elsewhere.
    ///
    /// - Parameter named: What the command line names, which a protected program ignores.
    /// - Returns: The socket's path.
    static func socket(_ named: String?) -> String? {
        if RaisedGroup.isHeld { return DaemonSocket.systemPath }
        if let named { return named }
        return [DaemonSocket.systemPath, "/run/user/\(getuid())/keychaind.sock"]
            .first { access($0, F_OK) == 0 }
    }

    /// Whose daemon may have it.
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
