import Testing

/// Says which relays could not be tried, so that nobody takes them for tested.
@Suite("Relay servers") struct RelayServerTests {
    @Test(
        .enabled(
            if: RelayKind.present.contains(.postgreSQL),
            "PostgreSQL is not installed: sudo apt-get install postgresql"
        )
    )
    func `PostgreSQL takes part`() { #expect(PostgreSQLServer.programs != nil) }

    @Test(
        .enabled(
            if: RelayKind.present.contains(.etcd),
            "etcd is not installed: sudo apt-get install etcd-server, or run Scripts/relays.sh"
        )
    )
    func `etcd takes part`() { #expect(EtcdServer.program != nil) }
}
