/// A number that four characters name, such as the creator of an item.
public typealias FourCharCode = UInt32
/// A number that four characters name, for types of files and items.
public typealias OSType = FourCharCode
