import KeychainModel
import KeychainSync
import SyncRelay

/// Why synchronization did not do what it was asked for.
package enum SyncFailure: Error, Sendable {
    /// The keychain refused: `errSecInteractionNotAllowed` while it is locked.
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
    /// No member has that name.
    case noSuchDevice
    /// This device is no keeper, so it cannot change the circle.
    case notKeeper
    /// Only the first keeper, or the recovery key in force, replaces the recovery key.
    case notFirstKeeper
    /// The device is a keeper already.
    case keeperAlready
    /// Nobody may take the first keeper out but the recovery key.
    case firstKeeper
    /// The device that is to go let these in, by their names: a person has to say what becomes of
    /// them.
    case letIn([String])
    /// Several members have that name.
    case ambiguousDevice
    /// What a person typed is no recovery key of this circle.
    case wrongRecoveryKey
    /// This device was removed from the circle.
    case removed
    /// The relay shows fewer entries than it did.
    case rolledBack(StreamName)
    /// What the keychain keeps for synchronization is not what was written.
    case damagedState(String)
}
