import Cryptography
import KeychainSync
import Secrets
import Synchronization

/// Random numbers from a seed, so that a run can be repeated.
final class SeededRandom: RandomSource {
    private let dice: Mutex<Dice>

    init(_ seed: UInt64) { dice = Mutex(Dice(Dice.mixed(seed) ^ 0x5EED)) }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
        dice.withLock { dice in
            for place in buffer.indices {
                buffer[place] = UInt8(truncatingIfNeeded: dice.next() >> 32)
            }
        }
    }

    /// Makes the keys of a device or of a recovery key.
    func signer() throws(SyncError) -> SoftwareSigner {
        try SoftwareSigner(signing: pair(), agreement: pair())
    }

    private func pair() throws(SyncError) -> PrivateKey {
        do throws(CryptographyError) {
            return try PrivateKey(scalar: try secret(32), on: .p256)
        } catch { throw .backend("\(error)") }
    }
}
