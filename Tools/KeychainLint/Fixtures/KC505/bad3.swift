import Security

func token(_ query: [String: Any]) -> Data? {
    var result: CFTypeRef?
    if SecItemCopyMatching(query as CFDictionary, &result) == noErr {  // expect
        return result as? Data
    }
    return nil
}
