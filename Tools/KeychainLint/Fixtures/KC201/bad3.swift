import Security

let item = NSMutableDictionary(
    objects: [kSecClassGenericPassword, "notes", "ada", data],
    forKeys: [
        kSecClass as NSString, kSecAttrService as NSString, kSecAttrAccount as NSString,
        kSecValueData as NSString,
    ]
)
let status = SecItemAdd(item, nil)  // expect
