import KeychainModel
import KeychainSync
import SyncRelay

/// The reason why an operation of synchronization failed.
package enum SyncFailure: Error, Sendable {
    /// An error of the keychain, such as `errSecInteractionNotAllowed` while it is locked.
    case keychain(KeychainError)
    case relay(RelayError)
    case format(SyncError)
    /// The keychain is in no circle.
    case notJoined
    /// The keychain is in a circle, or has asked to join one.
    case alreadyJoined
    /// No device with that fingerprint asks to join.
    case noSuchRequest
    /// The circle's code was given where a fingerprint is needed.
    case circleCode
    /// No other member has that name or fingerprint.
    case noSuchDevice
    /// This device is no keeper, so it cannot change the circle.
    case notKeeper
    /// Only the first keeper, or the recovery key in force, replaces the recovery key.
    case notFirstKeeper
    /// The device is a keeper already.
    case keeperAlready
    /// The first keeper cannot leave; only the recovery key removes it.
    case firstKeeper
    /// The device to remove let in others, with these names; the user has to decide about them.
    case letIn([String])
    /// Several other members have that name.
    case ambiguousDevice
    /// The recovery key is not the one of this circle.
    case wrongRecoveryKey
    /// This device was removed from the circle.
    case removed
    /// The relay shows fewer entries than it did.
    case rolledBack(StreamName)
    /// The keychain's records of synchronization are damaged or incomplete.
    case damagedState(String)
}
