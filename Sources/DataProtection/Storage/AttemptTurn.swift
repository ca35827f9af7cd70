import Glibc

/// The turn to try a passcode; it ends with the object.
package protocol AttemptTurn: AnyObject, Sendable {}

extension DeviceStorage {
    /// Waits for the turn to try a passcode.
    ///
    /// - Parameter limit: How long to wait: longer than some attempts of others take.
    /// - Returns: `nil` if somebody keeps it for longer, or if it cannot be had at all: turns keep
    ///   order among the honest, and the counter is what limits guesses.
    package func attemptTurn(waiting limit: Duration = .seconds(30)) -> (any AttemptTurn)? {
        let deadline = ContinuousClock.now + limit
        repeat {
            do throws(StorageError) {
                if let turn = try takeAttemptTurn() { return turn }
            } catch {
                return nil
            }
            usleep(2_000)
        } while ContinuousClock.now < deadline
        return nil
    }
}
