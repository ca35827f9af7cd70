#if os(Linux)
    import KeychainSimulator
    import Security
    import Testing
    import TokenStore

    @Suite struct `A token store` {
        private let phone: SimulatedDevice
        private let app: SimulatedApp
        private let store = TokenStore(service: "com.example.shop")

        init() throws {
            phone = try SimulatedDevice()
            app = phone.install(.init(bundleIdentifier: "com.example.shop"))
        }

        @Test func `finds the token that it stored last`() throws {
            #expect(try app.run { try store.load() } == nil)
            try app.run { try store.save("first") }
            try app.run { try store.save("second") }
            #expect(try app.run { try store.load() } == "second")
        }

        @Test func `serves work in the background of a locked phone`() throws {
            try app.run { try store.save("t0ken") }
            phone.lock()
            #expect(try app.run(.background) { try store.load() } == "t0ken")
        }

        @Test func `serves nobody before the first unlock`() throws {
            try app.run { try store.save("t0ken") }
            phone.reboot()
            #expect(throws: TokenStore.Failure(status: errSecInteractionNotAllowed)) {
                try app.run(.background) { try store.load() }
            }
        }
    }
#endif
