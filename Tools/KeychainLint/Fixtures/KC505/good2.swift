import Security

func restore() throws {
    do {
        session.start(with: try keychain.read("token"))
    } catch KeychainError.itemNotFound {
        session.askForPassword()
    }
}
