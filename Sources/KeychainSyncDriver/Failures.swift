import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// Each function converts the error of one layer to a `SyncFailure`.

/// Runs a call of the keychain.
func fromKeychain<R: ~Copyable>(
    _ body: @autoclosure () throws(KeychainError) -> R
) throws(SyncFailure) -> R {
    do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
}

/// Runs an operation of libcrypto, or asks for random bytes.
func fromCryptography<R: ~Copyable>(
    _ body: @autoclosure () throws(CryptographyError) -> R
) throws(SyncFailure) -> R {
    do throws(CryptographyError) { return try body() } catch {
        throw .format(.backend("\(error)"))
    }
}

/// Runs an operation on links and entries, or a step of the machine.
func fromFormat<R: ~Copyable>(
    _ body: @autoclosure () throws(SyncError) -> R
) throws(SyncFailure) -> R {
    do throws(SyncError) { return try body() } catch { throw .format(error) }
}

/// Runs a call of the relay.
func fromRelay<R: ~Copyable>(
    _ body: @autoclosure () throws(RelayError) -> R
) throws(SyncFailure) -> R {
    do throws(RelayError) { return try body() } catch { throw .relay(error) }
}
