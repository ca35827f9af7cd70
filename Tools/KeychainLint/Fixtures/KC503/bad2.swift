func token() -> Token? {
    do {
        return try keychain.read("token")
    } catch {
        try? keychain.delete("token")  // expect
        return nil
    }
}
