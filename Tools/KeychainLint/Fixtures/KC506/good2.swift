import Security

func drop(_ item: [CFString: Any]) throws {
    let status = SecItemDelete(item as CFDictionary)
    if status != errSecSuccess {
        switch Reason(code: status) {
        case .absent: break
        case .locked: throw Trouble.locked
        }
    }
}
