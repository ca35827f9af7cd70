// A search with a context that asks the user again after twenty seconds.
let asking = LAContext()
asking.touchIDAuthenticationAllowableReuseDuration = 20

let diaryQuery: [String: Any] = [
    kSecReturnData as String: true,
    kSecUseAuthenticationContext as String: asking,
    kSecAttrAccount as String: "diary",
    kSecAttrService as String: "org.example.notes",
    kSecClass as String: kSecClassGenericPassword,
]
