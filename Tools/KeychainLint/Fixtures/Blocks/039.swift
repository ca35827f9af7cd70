// An identity to add that refers to no identity.
let passport: [String: Any] = [
    kSecAttrLabel as String: "Staff pass",
    kSecClass as String: kSecClassIdentity,
]
let outcome = SecItemAdd(passport as CFDictionary, nil)
