import Secrets

/// Everything that can be asked of a keychain.
package enum Request: Sendable {
    case add(AttributeDictionary)
    case copyMatching(AttributeDictionary)
    case update(AttributeDictionary, with: AttributeDictionary)
    case delete(AttributeDictionary)
    case device(DeviceCommand)
}

/// What a person may do with the device itself.
package enum DeviceCommand: Sendable {
    case status
    case lock
    case unlock(passcode: SharedSecret)
    case setPasscode(SharedSecret, current: SharedSecret?)
    case removePasscode(current: SharedSecret)
}

/// Everything that a keychain answers.
package enum Reply: Sendable {
    case none
    case result(ItemResult)
    case status(DeviceStatus)
}

/// What a find or add hands back.
package enum ItemResult: Sendable {
    /// Nothing was asked for, or there is nothing of the kind.
    case nothing
    case data(SharedSecret)
    case persistentReference([UInt8])
    case dictionary(ItemDictionary)
    case array([ItemResult])
}

/// The dictionary form of a result.
package struct ItemDictionary: Sendable {
    package var attributes: [Attribute: AttributeValue] = [:]
    package var data: SharedSecret?
    package var persistentReference: [UInt8]?
    /// Present when a reference was asked for.
    package var itemClass: ItemClass?

    package init() {}
}
