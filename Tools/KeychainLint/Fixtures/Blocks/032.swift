// A test that a migration which cannot write leaves the old value where it is.
@Test func lockedShelfLeavesTheOldValue() async throws {
    let old = try #require(UserDefaults(suiteName: "mover"))
    old.set("plum-17", forKey: "doorPassword")
    let shelf = PaperShelf()
    await shelf.fail(with: .status(errSecInteractionNotAllowed))

    let outcomes = await DefaultsMover(into: shelf).move(["doorPassword"], to: "org.example.house")

    #expect(old.string(forKey: "doorPassword") == "plum-17")
    #expect(outcomes.contains { if case .kept = $0 { true } else { false } })
}
