// A search by label before an add that is unique by account, and has no protection level.
let looked: [String: Any] = [
    kSecReturnData as String: true,
    kSecAttrLabel as String: "Season ticket",
    kSecAttrService as String: "org.example.tram",
    kSecClass as String: kSecClassGenericPassword,
]

let entry: [String: Any] = [
    kSecValueData as String: ticketBytes,
    kSecAttrAccount as String: "ada",
    kSecAttrService as String: "org.example.tram",
    kSecClass as String: kSecClassGenericPassword,
]
