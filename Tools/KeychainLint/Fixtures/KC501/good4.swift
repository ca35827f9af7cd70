import Security

enum Verb { case add, delete }

func perform(_ verb: Verb, _ item: [String: Any]) throws {
    let status =
        switch verb {
        case .add: SecItemAdd(item as CFDictionary, nil)
        case .delete: SecItemDelete(item as CFDictionary)
        }
    switch status {
    case errSecSuccess: break
    case errSecDuplicateItem: throw DuplicateError(verb)
    default: throw StatusError(status, verb)
    }
}

func status(of verb: Verb, _ item: [String: Any]) -> OSStatus {
    if verb == .add {
        SecItemAdd(item as CFDictionary, nil)
    } else {
        SecItemDelete(item as CFDictionary)
    }
}
