import Security

func unlock(_ keychain: SecKeychain) -> OSStatus {
    SecKeychainUnlock(keychain, 0, nil, false)  // expect
}
