import Security

func token(_ query: [String: Any]) throws -> Data {
    var result: AnyObject?
    let status = withUnsafeMutablePointer(to: &result) {
        SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
    }
    guard status == errSecSuccess, let data = result as? Data else {  // expect
        throw TokenError.notFound
    }
    return data
}
