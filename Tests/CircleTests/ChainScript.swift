import Testing

@testable import KeychainSync

/// Links of a small circle by short names, without cryptography: digests are what a test says.
struct ChainScript {
    private(set) var links: [String: Link] = [:]
    private(set) var states: [SyncDigest: CircleState] = [:]
    /// The names of the links that count after those before them.
    private(set) var counting: Set<String> = []
    private var count: UInt16 = 0

    static func keys(_ actor: String) throws -> PeerKeys {
        let half = Array((actor + String(repeating: ".", count: 65)).utf8.prefix(65))
        return try #require(PeerKeys(signing: half, agreement: half))
    }

    static func name(_ actor: String) throws -> KeyName { try KeyName(of: keys(actor)) }

    static func newcomer(_ actor: String, isKeeper: Bool) throws -> Link.Newcomer {
        try Link.Newcomer(keys(actor), deviceName: actor, isKeeper: isKeeper)
    }

    /// A digest that sorts by its first byte, and by a running number behind that.
    private mutating func digest(_ first: UInt8) -> SyncDigest {
        count += 1
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[0] = first
        bytes[30] = UInt8(count >> 8)
        bytes[31] = UInt8(count & 255)
        return SyncDigest(unchecked: bytes)
    }

    /// The founding link, by `ada`.
    mutating func found(paper: String? = "paper") throws -> Link {
        var changes = Link.Changes()
        changes.added = [try Self.newcomer("ada", isKeeper: true)]
        if let paper { changes.recovery = .keys(try Self.keys(paper)) }
        let content = LinkContent(
            number: 0,
            previous: .zeros,
            signers: [0],
            time: 0,
            changes: changes,
            boxesDigest: .zeros,
            newKey: .zeros
        )
        let link = Link(content, digest(0x80), signatures: [])
        var state = CircleState()
        _ = try state.apply(link, by: [try Self.name("ada")])
        links["founding"] = link
        states[link.digest] = state
        return link
    }

    /// A link with a name, whether or not it counts; its digest begins with `sorting`.
    mutating func say(
        _ name: String,
        after previous: String,
        by signers: [String],
        add: [String] = [],
        keepers: [String] = [],
        remove: [String] = [],
        promote: [String] = [],
        paper: String? = nil,
        sorting first: UInt8 = 0x80
    ) throws {
        let before = try #require(links[previous])
        var state = try #require(states[before.digest])
        var changes = Link.Changes()
        changes.added =
            try add.map { try Self.newcomer($0, isKeeper: false) }
            + keepers.map { try Self.newcomer($0, isKeeper: true) }
        changes.removed = try remove.map(Self.name)
        changes.promoted = try promote.map(Self.name)
        if let paper { changes.recovery = .keys(try Self.keys(paper)) }
        let names = try signers.map(Self.name)
        let places = names.map { state.place(of: $0) ?? 9999 }
        let content = LinkContent(
            number: before.number + 1,
            previous: before.digest,
            signers: places.sorted(),
            time: 0,
            changes: changes,
            boxesDigest: .zeros,
            newKey: changes.takesAway ? .zeros : nil
        )
        let link = Link(content, digest(first), signatures: [])
        links[name] = link
        if places.allSatisfy({ $0 != 9999 }), (try? state.check(link, by: names)) != nil {
            _ = try state.apply(link, by: names)
            counting.insert(name)
        }
        states[link.digest] = state
    }

    func link(_ name: String) throws -> Link { try #require(links[name]) }

    /// The chain that is chosen from these links; from all of them if none is named.
    func chain(
        of names: [String]? = nil,
        rules: CircleRules = CircleRules()
    ) throws -> CircleChain {
        let founding = try link("founding")
        var chain = CircleChain(founding.code, rules: rules)
        let chosen = try names.map { try $0.map(link) } ?? Array(links.values)
        try chain.add([founding] + chosen, trusted: true)
        return chain
    }

    /// The names of the links of the chosen chain, without the founding one.
    func path(of names: [String]? = nil) throws -> [String] {
        let chain = try chain(of: names)
        let byDigest = Dictionary(uniqueKeysWithValues: links.map { ($0.value.digest, $0.key) })
        return chain.chain.dropFirst().compactMap { byDigest[$0.digest] }
    }

    /// Who is in the circle, by the names of the devices.
    func members() throws -> [String] {
        try #require(try chain().head).state.members.values.map(\.deviceName).sorted()
    }
}

/// The same choice, written as one reads it: all paths, and the greatest of them.
struct NaiveChain {
    private let links: [Link]

    init(_ links: [Link]) { self.links = links }

    func path(from founding: Link) throws -> [SyncDigest] {
        let founder = try #require(founding.changes.added.first)
        var members = [founder.name: true]
        var recovery: KeyName?
        if case .keys(let keys) = founding.changes.recovery { recovery = try KeyName(of: keys) }
        let state = Circle(
            members: Set(members.keys),
            keepers: [founder.name],
            recovery: recovery,
            known: Set(members.keys)
        )
        members = [:]
        return try [founding.digest] + best(after: founding, state).digests
    }

    private struct Circle {
        var members: Set<KeyName>
        var keepers: [KeyName]
        var recovery: KeyName?
        var known: Set<KeyName>
        var order: [KeyName?] { [recovery] + keepers }
    }

    private func best(
        after link: Link,
        _ circle: Circle
    ) throws -> (digests: [SyncDigest], signers: Set<KeyName>) {
        var paths: [(bits: String, digests: [SyncDigest], signers: Set<KeyName>)] = []
        for child in links where child.previous == link.digest {
            guard let signers = signers(of: child, circle),
                let next = try follow(circle, child, signers)
            else { continue }
            let rest = try best(after: child, next)
            let all = rest.signers.union(signers)
            let bits = circle.order.map { $0.map { all.contains($0) ? "1" : "0" } ?? "0" }
            paths.append((bits.joined(), [child.digest] + rest.digests, all))
        }
        let greatest = paths.max {
            $0.bits == $1.bits ? $0.digests[0] > $1.digests[0] : $0.bits < $1.bits
        }
        return (greatest?.digests ?? [], greatest?.signers ?? [])
    }

    private func signers(of link: Link, _ circle: Circle) -> [KeyName]? {
        var signers: [KeyName] = []
        for place in link.signers {
            guard Int(place) < circle.order.count, let name = circle.order[Int(place)] else {
                return nil
            }
            signers.append(name)
        }
        return signers
    }

    private func follow(_ circle: Circle, _ link: Link, _ signers: [KeyName]) throws -> Circle? {
        let changes = link.changes
        var next = circle
        let out = Set(changes.removed)
        guard !changes.isEmpty, out.isSubset(of: circle.members), out.isDisjoint(with: signers),
            out.count == changes.removed.count
        else { return nil }
        let first = signers.compactMap { circle.order.firstIndex(of: $0) }.min() ?? 0
        guard out.allSatisfy({ circle.order.firstIndex(of: $0).map { $0 >= first } ?? true })
        else { return nil }
        next.members.subtract(out)
        next.keepers.removeAll { out.contains($0) }
        for newcomer in changes.added {
            guard next.known.insert(newcomer.name).inserted else { return nil }
            next.members.insert(newcomer.name)
            if newcomer.isKeeper { next.keepers.append(newcomer.name) }
        }
        for name in changes.promoted {
            guard circle.members.contains(name), next.members.contains(name),
                !next.keepers.contains(name)
            else { return nil }
            next.keepers.append(name)
        }
        switch changes.recovery {
        case .unchanged: break
        case .none: next.recovery = nil
        case .keys(let keys):
            let name = try KeyName(of: keys)
            guard name != circle.recovery, mayReplace(circle, signers),
                !next.known.contains(name)
            else { return nil }
            next.recovery = name
        }
        guard next.recovery != nil || !next.keepers.isEmpty else { return nil }
        let papers = [circle.recovery, next.recovery]
        return changes.added.contains { papers.contains($0.name) } ? nil : next
    }

    private func mayReplace(_ circle: Circle, _ signers: [KeyName]) -> Bool {
        signers.contains { $0 == circle.recovery || $0 == circle.keepers.first }
    }
}
