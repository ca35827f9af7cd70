import Cryptography

@testable import KeychainSync

extension FuzzTarget {
    /// Statements about the circle that the fixture's device founded, each with its size in two
    /// bytes, without signatures.
    ///
    /// They make the same circle in any order.
    static let syncCircle = FuzzTarget(name: "sync-circle") { bytes throws(BrokenLaw) in
        var reader = InputReader(bytes)
        var statements: [SyncDigest: Statement] = [:]
        while !reader.isAtEnd {
            let size = Int(reader.byte()) << 8 | Int(reader.byte())
            let part = reader.bytes(atMost: size)
            do throws(SyncError) {
                let statement = try SyncFixture.unsigned(part)
                statements[statement.digest] = statement
            } catch { continue }
        }
        let founding = try founding()
        let sorted = statements.values.sorted { $0.digest < $1.digest }
        let first = try circle(founding, [founding] + sorted)
        let other = try circle(founding, sorted.reversed() + [founding])
        try require(first == other, "the order of statements does not matter")
        try check(first)
        let joined = first.peers.values.filter { $0.entryCount != 0 || $0.removedBy != nil }
        return joined.count > 1 || !first.epochs.isEmpty ? .accepted : .refused
    }

    private static func founding() throws(BrokenLaw) -> Statement {
        do throws(SyncError) {
            let device = try SyncFixture.device()
            let part = try StatementFormat.encode(
                author: try device.name(),
                generation: 0,
                entry: 0,
                .found(
                    random: [UInt8](repeating: 3, count: StatementFormat.randomByteCount),
                    founder: device.keys,
                    deviceName: "desk",
                    recovery: try SyncFixture.keys(8).keys
                )
            )
            return try SyncFixture.unsigned(part)
        } catch { throw BrokenLaw(law: "a circle can be founded: \(error)") }
    }

    private static func circle(
        _ founding: Statement,
        _ statements: [Statement]
    ) throws(BrokenLaw) -> Circle {
        let circle: Circle?
        do throws(CryptographyError) {
            circle = try Circle(founding: founding.digest, statements: statements)
        } catch { throw BrokenLaw(law: "a circle can be made: \(error)") }
        guard let circle else { throw BrokenLaw(law: "a circle has its founder") }
        return circle
    }

    private static func check(_ circle: Circle) throws(BrokenLaw) {
        let removed = Set(circle.peers.keys).subtracting(circle.members)
        try require(
            circle.epochs.allSatisfy { !$0.isClean || $0.recipients.isDisjoint(with: removed) },
            "an epoch is not clean if a removed peer has it"
        )
        try require(
            Set(circle.epochs.map(\.name)).count == circle.epochs.count,
            "an epoch is made once"
        )
        try require(
            circle.peers.values.allSatisfy { $0.removedBy == nil || $0.entryCount != nil },
            "who was removed is no member"
        )
    }
}
