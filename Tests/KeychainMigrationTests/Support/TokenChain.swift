import KeychainMigration

extension MigrationChain {
    /// The shortest chain: one step, "tokens", that moves "token" out of an old store.
    static func tokens(
        _ source: MapSource,
        _ mover: Mover,
        _ protectedData: any ProtectedData
    ) -> MigrationChain {
        MigrationChain(
            service: "com.example.app",
            steps: [
                MigrationStep(
                    to: 1,
                    "tokens",
                    [ValueMoves([Move("token", from: source, to: .token())])]
                )
            ],
            mover: mover,
            protectedData: protectedData
        )
    }
}
