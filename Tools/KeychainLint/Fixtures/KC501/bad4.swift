import Security

func perform(_ isNew: Bool, _ item: [String: Any], _ values: [String: Any]) {
    if isNew {
        SecItemAdd(item as CFDictionary, nil)  // expect
    } else {
        SecItemUpdate(item as CFDictionary, values as CFDictionary)  // expect
    }
}
