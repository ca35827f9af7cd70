func restore() {
    guard let token = try? keychain.read("token") else {  // expect
        session.logout()
        return
    }
    session.start(with: token)
}
