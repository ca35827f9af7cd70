import CoreFoundation
import KeychainModel

// Apple's constants are the model's names, never typed a second time.
extension ConstantString {
    /// The constant of an item attribute.
    convenience init(attribute: Attribute) { self.init(attribute.rawValue) }

    /// The constant of a query key.
    convenience init(query key: QueryKey) { self.init(key.rawValue) }

    /// The constant of an item class.
    convenience init(itemClass: ItemClass) { self.init(itemClass.rawValue) }

    /// The constant of a protection class.
    convenience init(protection: ProtectionClass) { self.init(protection.code) }
}
