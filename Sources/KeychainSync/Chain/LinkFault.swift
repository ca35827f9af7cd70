/// The reason a link does not count, or is not on the chosen chain.
///
/// - Source: Documentation/Spec/sync.md §2.3, §3.
package enum LinkFault: Error, Sendable, Hashable {
    /// Its predecessor was not read.
    case predecessorUnknown
    /// Its predecessor is not on the chosen chain.
    case predecessorIgnored
    /// Its number is not one more than that of its predecessor.
    case wrongNumber
    /// It has the code of another circle, or its founder is not a keeper that signed it.
    case otherFounding
    /// It names a place that the order of its predecessor does not have.
    case noSuchSigner
    case wrongSignature
    /// A public key in it is no point of P-256.
    case wrongKey
    /// It changes nothing and gives no earlier key.
    case empty
    /// It adds a device that is or was in the circle, or the same one twice.
    case addedAgain(KeyName)
    /// It removes a device that is not in the circle, or the same one twice.
    case removesStranger(KeyName)
    /// It removes one of its own signers, which may have made the new key.
    case removesSigner(KeyName)
    /// It removes a keeper that is earlier in the order than all who signed.
    case removesSenior(KeyName)
    /// It promotes a device that is no member, is removed by the link, or is a keeper already.
    case cannotPromote(KeyName)
    /// It replaces the recovery key with the same one, or removes one that does not exist.
    case sameRecovery
    /// It changes the recovery key, but neither that key nor the first keeper signed it.
    case recoveryByJunior
    /// A device shares a public key with the recovery key before or after the link.
    case recoveryKeyOfDevice
    /// It leaves more keepers than a circle may have.
    case tooManyKeepers
    /// It leaves more members than a circle may have.
    case tooManyMembers
    /// It leaves neither a keeper nor a recovery key.
    case leavesNobody
    /// It removes a device or changes the recovery key, but has no new key.
    case keyMissing
    /// It has a new key, but removes no device and leaves the recovery key unchanged.
    case keyNeedless
    /// Another branch won: by the first key in the order that signed only one of the two.
    ///
    /// The key is nil if no key decided, so that the smaller digest won.
    case overruled(by: KeyName?)
}
