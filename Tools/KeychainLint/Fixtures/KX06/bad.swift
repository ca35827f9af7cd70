func makeToken() -> String {
    String((0..<32).map { _ in Array("abcdef0123456789")[Int(arc4random_uniform(16))] })  // expect
}
