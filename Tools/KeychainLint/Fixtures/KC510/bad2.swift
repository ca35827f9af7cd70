let token = try! keychain.read("token")  // expect
