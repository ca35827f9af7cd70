import Glibc

/// The turn to try a passcode; it ends with the object.
package protocol AttemptTurn: AnyObject, Sendable {}

extension DeviceStorage {
    /// Waits for the turn to try a passcode.
    ///
    /// - Parameters:
    ///   - limit: How long to wait: longer than some attempts of others take.
    ///   - isWanted: Whether somebody still waits for the attempt.
    /// - Returns: `nil` if somebody keeps it for longer, or if it cannot be had at all: turns keep
    ///   order among the honest, and the counter is what limits guesses.
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
            // Whoever comes first looks again first; many that wait take no processor.
            pause = min(pause + pause / 4, 20_000)
        } while ContinuousClock.now < deadline && isWanted()
        return nil
    }
}
