@testable import KeychainSync

extension FuzzTarget {
    /// Links, each with its size in two bytes: number, content; nobody looks at signatures.
    ///
    /// The first one founds the circle. They make the same chain in any order.
    static let syncCircle = FuzzTarget(name: "sync-circle") { bytes throws(BrokenLaw) in
        var reader = InputReader(bytes)
        var links: [Link] = []
        while !reader.isAtEnd {
            let size = Int(reader.byte()) << 8 | Int(reader.byte())
            let part = reader.bytes(atMost: size)
            do throws(SyncError) { links.append(try SyncFixture.link(part)) } catch { continue }
        }
        guard let founding = links.first else { return .refused }
        let first = try chain(founding.code, links)
        let other = try chain(founding.code, links.reversed())
        try require(first.chain == other.chain, "the order of links does not matter")
        try require(first.faults == other.faults, "nor for those that do not count")
        try check(first)
        return first.chain.count > 1 ? .accepted : .refused
    }

    private static func chain(
        _ code: SyncCode,
        _ links: [Link]
    ) throws(BrokenLaw) -> CircleChain {
        var chain = CircleChain(code)
        do throws(SyncError) {
            for link in links { try chain.add([link], trusted: true) }
        } catch { throw BrokenLaw(law: "a chain can be chosen: \(error)") }
        return chain
    }

    private static func check(_ chain: CircleChain) throws(BrokenLaw) {
        guard let state = chain.head?.state else { return }
        try require(
            state.keepers.allSatisfy { state.members[$0] != nil },
            "a keeper is a member"
        )
        try require(
            state.recovery != nil || !state.keepers.isEmpty,
            "somebody can change the circle"
        )
        try require(
            chain.removals.keys.allSatisfy { state.members[$0] == nil },
            "who was removed is no member"
        )
    }
}
