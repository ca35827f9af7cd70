import KeychainModel

extension AttributeDictionary {
    /// A dictionary that names a class, and what else is given.
    package static func of(
        _ itemClass: ItemClass,
        _ more: AttributeDictionary = [:]
    ) -> AttributeDictionary {
        var dictionary = more
        dictionary[.itemClass] = .string(itemClass.rawValue)
        return dictionary
    }
}
