import CoreFoundation
import KeychainModel

// Apple's constants are the model's names, never typed a second time.
extension ConstantString {
    /// Creates the constant of an item attribute.
    convenience init(attribute: Attribute) { self.init(attribute.rawValue) }

    /// Creates the constant of a query key.
    convenience init(query key: QueryKey) { self.init(key.rawValue) }

    /// Creates the constant of an item class.
    convenience init(itemClass: ItemClass) { self.init(itemClass.rawValue) }

    /// Creates the constant of a protection class.
    convenience init(protection: ProtectionClass) { self.init(protection.code) }
}
