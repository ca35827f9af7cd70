import Glibc

/// The turn to try a passcode; it ends with the object.
package protocol AttemptTurn: AnyObject, Sendable {}

extension DeviceStorage {
    /// Waits for the turn to try a passcode.
    ///
    /// - Parameters:
    ///   - limit: The longest wait, which covers several attempts of others.
    ///   - isWanted: Whether the caller still waits for the attempt.
    /// - Returns: `nil` if another process keeps the turn for longer, or if turns are not
    ///   available. Turns only keep order among honest processes; the counter limits guesses.
    package func attemptTurn(
        waiting limit: Duration = .seconds(30),
        while isWanted: () -> Bool = { true }
    ) -> (any AttemptTurn)? {
        let deadline = ContinuousClock.now + limit
        var pause: UInt32 = 2_000
        repeat {
            do throws(StorageError) {
                if let turn = try takeAttemptTurn() { return turn }
            } catch {
                return nil
            }
            usleep(pause)
            // Early callers look more often, and a long queue uses little processor time.
            pause = min(pause + pause / 4, 20_000)
        } while ContinuousClock.now < deadline && isWanted()
        return nil
    }
}
