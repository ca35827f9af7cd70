import Security

/// Migration code may look for the deprecated class.
func needsMigration(_ attributes: [String: Any]) -> Bool {
    let accessible = attributes[kSecAttrAccessible as String] as? String
    return accessible == kSecAttrAccessibleAlways as String
}
