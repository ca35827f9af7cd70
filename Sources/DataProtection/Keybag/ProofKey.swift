import Cryptography
import KeychainModel
import Secrets

/// A key pair on X25519 whose private half the passcode wraps.
///
/// Sealing to a constraint needs only the public half, so an item can be gated without a prompt.
/// Opening needs the private half, which only a proof releases.
/// - Source: Documentation/Spec/keybag.md §2, §6.
struct ProofKey: Sendable, Equatable {
    /// The size of either half in bytes.
    static let byteCount = 32

    /// The factors that have a pair in the keybag, in the order of the file.
    static let factors: [Factor] = [.passcode, .biometry, .companion]

    /// 32 bytes.
    var publicKey: [UInt8]

    /// The private half under the passcode key, 40 bytes.
    var wrappedPrivateKey: [UInt8]

    /// Returns the public half of a private one.
    static func publicKey(of privateKey: borrowing Secret) throws(DeviceError) -> [UInt8] {
        do throws(CryptographyError) {
            return try PrivateKey(family: .x25519, externalRepresentation: privateKey)
                .publicKey.externalRepresentation
        } catch {
            throw .cryptography(error)
        }
    }
}

extension Keybag {
    /// The public halves, by factor; empty without a passcode.
    package var proofPublicKeys: [Factor: [UInt8]] { record.proofKeys.mapValues(\.publicKey) }

    /// Creates the private halves of a new passcode epoch.
    static func newProofKeys(
        _ random: any RandomSource
    ) throws(DeviceError) -> [Factor: SharedSecret] {
        var keys: [Factor: SharedSecret] = [:]
        for factor in ProofKey.factors { keys[factor] = SharedSecret(try newKey(random)) }
        return keys
    }

    /// Wraps the private halves under a passcode key.
    static func wrap(
        _ keys: [Factor: SharedSecret],
        under passcodeKey: borrowing Secret
    ) throws(DeviceError) -> [Factor: ProofKey] {
        var wrapped: [Factor: ProofKey] = [:]
        for (factor, key) in keys {
            wrapped[factor] = ProofKey(
                publicKey: try ProofKey.publicKey(of: key.secret),
                wrappedPrivateKey: try wrap(key.secret, under: passcodeKey)
            )
        }
        return wrapped
    }

    /// Unwraps the private halves; returns nil if the passcode key is wrong.
    func proofKeys(
        under passcodeKey: borrowing Secret
    ) throws(DeviceError) -> [Factor: SharedSecret]? {
        var keys: [Factor: SharedSecret] = [:]
        for (factor, stored) in record.proofKeys {
            do throws(CryptographyError) {
                keys[factor] = SharedSecret(
                    try AESKeyWrap.unwrap(stored.wrappedPrivateKey, under: passcodeKey)
                )
            } catch .authenticationFailed {
                return nil
            } catch {
                throw .cryptography(error)
            }
        }
        return keys
    }
}
