import Security

func load(_ query: CFDictionary) -> [CFTypeRef] {
    var result: CFTypeRef?
    unsafe SecItemCopyMatching(query, &result)  // expect
    return result as? [CFTypeRef] ?? []
}
