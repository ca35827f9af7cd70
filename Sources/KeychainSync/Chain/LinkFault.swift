/// Why a link does not count.
///
/// - Source: Documentation/Spec/sync.md §3.
package enum LinkFault: Error, Sendable, Hashable {
    /// The link before it is not known here.
    case predecessorUnknown
    /// The link before it does not count.
    case predecessorIgnored
    /// Its number is not one more than that of the link before.
    case wrongNumber
    /// It founds another circle.
    case otherFounding
    /// It names a signer that the link before it does not have.
    case noSuchSigner
    case wrongSignature
    /// A public key that it brings is no point of P-256.
    case wrongKey
    /// It changes nothing.
    case empty
    /// It adds a device that is or was in the circle, or the same one twice.
    case addedAgain(KeyName)
    /// It removes a device that is not in the circle, or the same one twice.
    case removesStranger(KeyName)
    /// It removes one of its own signers, who would have made the new key.
    case removesSigner(KeyName)
    /// It removes a keeper that is earlier in the order than all who signed.
    case removesSenior(KeyName)
    /// It promotes a device that is not in the circle, or is a keeper already.
    case cannotPromote(KeyName)
    /// It replaces the recovery key by the same one.
    case sameRecovery
    /// It changes the recovery key, and neither that key nor the first keeper signed it.
    case recoveryByJunior
    /// A device and the recovery key, before or after it, have a public key in common.
    case recoveryKeyOfDevice
    /// It leaves more keepers than a circle has.
    case tooManyKeepers
    /// It leaves more members than the boxes of a link have room for.
    case tooManyMembers
    /// It leaves neither a keeper nor a recovery key.
    case leavesNobody
    /// It takes something away and has no new key.
    case keyMissing
    /// It takes nothing away and has a new key.
    case keyNeedless
    /// Another branch was chosen: the first in the order who signed in only one of the two
    /// decided, or, if there is none, the smaller digest.
    case overruled(by: KeyName?)
}
