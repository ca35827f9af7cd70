import KeychainDaemon
import TestSupport
import Testing

@Suite(.requirement("HRD-07")) struct `The persons behind accounts` {
    private static let table = PersonTable(
        """
        ada:100000:65536
        1002:300000:65536

        nobody-here:500000:10
        grace:nonsense:10
        grace:600000:0
        grace:4294967000:1000
        grace:0:100
        grace:700000:1
        """
    ) { name in ["ada": 1000, "grace": 1001][name] }

    @Test(
        arguments: [
            (100_000, 1000), (165_535, 1000), (99_999, 99_999), (165_536, 165_536), (1000, 1000),
            (300_000, 1002), (500_000, 500_000), (600_000, 600_000), (4_294_967_001, 4_294_967_001),
            (50, 50), (700_000, 1001), (700_001, 700_001),
        ] as [(UInt32, UInt32)]
    )
    func `are the owners of their ranges`(account: UInt32, person: UInt32) {
        #expect(Self.table.person(of: account) == person)
    }
}
