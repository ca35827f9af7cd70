import Testing

/// Says which relays could not be tried, so that nobody takes them for tested.
@Suite("Relay servers") struct RelayServerTests {
    @Test(
        .enabled(
            if: PostgreSQLServer.programs != nil,
            "PostgreSQL is not installed: sudo apt-get install postgresql"
        )
    )
    func `PostgreSQL takes part`() { #expect(RelayKind.present.contains(.postgreSQL)) }

    @Test(
        .enabled(
            if: EtcdServer.program != nil,
            "etcd is not installed: sudo apt-get install etcd-server, or run Scripts/relays.sh"
        )
    )
    func `etcd takes part`() { #expect(RelayKind.present.contains(.etcd)) }
}
