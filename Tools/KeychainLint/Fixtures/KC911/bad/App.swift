import KeychainAccess  // expect

let keychain = Keychain(service: "notes")
