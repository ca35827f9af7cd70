import Secrets

/// Everything that can be asked of a keychain.
package enum Request: Sendable {
    case add(AttributeDictionary)
    case copyMatching(AttributeDictionary)
    /// A search for all matches that asks nobody; what is out of reach hides only itself.
    case list(AttributeDictionary)
    case update(AttributeDictionary, with: AttributeDictionary)
    case delete(AttributeDictionary)
    /// Adds all of the items or none: a key pair, or the halves of an identity.
    case addAll([AttributeDictionary], duplicates: DuplicateRule)
    /// Makes a key inside the secure element, stored or not, from the attributes of an add.
    ///
    /// A public half, described without its bytes, is stored in the same transaction.
    case makeElementKey(
        AttributeDictionary,
        isPermanent: Bool,
        publicHalf: AttributeDictionary? = nil
    )
    /// Tells whether one was made by this device, as far as the lock state lets it be known.
    case checkElementKey(ElementKeyHandle)
    /// Uses one, by Apple's identifier for the algorithm.
    case useElementKey(
        ElementKeyHandle,
        algorithm: String,
        ElementKeyUse,
        AuthenticationTerms
    )
    /// Seals the one item that matches anew, under another access control.
    ///
    /// No flags make a plain item; without a protection class it keeps its own.
    case replaceAccessControl(
        AttributeDictionary,
        flags: AccessControl.Flags,
        protection: ProtectionClass?
    )
    case authenticate(AuthenticationRequest)
    case device(DeviceCommand)
}

/// What adding several items makes of those that are there already.
package enum DuplicateRule: Sendable, Hashable {
    /// One is enough to refuse.
    case refused
    /// Tolerated, unless every item is there already.
    case toleratedUnlessAll
    /// Tolerated, also when every item is there already.
    case tolerated
}

/// What a person may do with the device itself.
package enum DeviceCommand: Sendable {
    case status
    case lock
    case unlock(passcode: SharedSecret)
    case setPasscode(SharedSecret, current: SharedSecret?)
    case removePasscode(current: SharedSecret)
    /// When it locks by itself; only while it is unlocked.
    case setLockSettings(LockSettings)
}

/// Everything that a keychain answers.
package enum Reply: Sendable {
    case none
    /// Done and durable; what it replaced or removed is still in the database's log, because
    /// another process reads.
    case earlierValueStays
    case result(ItemResult)
    case listing(Listing)
    /// One for each item of an `addAll`.
    case results([ItemResult])
    case elementKey(ElementKeyHandle)
    /// A signature, plaintext or shared secret.
    case bytes(SharedSecret)
    case status(DeviceStatus)
    /// The device is as it was asked to be; what did not work beside that.
    case changed(warnings: [KeychainError])
    case biometry(BiometryStatus)
}

/// What a find or add hands back.
package enum ItemResult: Sendable {
    /// Nothing was asked for, or there is nothing of the kind.
    case nothing
    case data(SharedSecret)
    case persistentReference([UInt8])
    case dictionary(ItemDictionary)
    case reference(ReferencedItem)
    case array([ItemResult])
}

/// The dictionary form of a result.
package struct ItemDictionary: Sendable {
    package var attributes: AttributeValues = [:]
    package var data: SharedSecret?
    package var persistentReference: [UInt8]?
    /// Present when a reference was asked for.
    package var itemClass: ItemClass?
    /// Present when a reference was asked for and the class has one.
    package var reference: ReferencedItem?

    package init() {}
}

/// All that makes a key, certificate or identity object.
package struct ReferencedItem: Sendable {
    package let itemClass: ItemClass
    package let attributes: AttributeValues
    /// The key's external representation, or the certificate's DER.
    package let data: SharedSecret
    /// Of an identity: the certificate's DER.
    package let certificate: SharedSecret?

    package init(
        itemClass: ItemClass,
        attributes: AttributeValues,
        data: SharedSecret,
        certificate: SharedSecret? = nil
    ) {
        self.itemClass = itemClass
        self.attributes = attributes
        self.data = data
        self.certificate = certificate
    }
}
