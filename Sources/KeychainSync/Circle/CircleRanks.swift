/// Who stays of two that remove each other.
///
/// Nobody can rise later. A rank counts the statements between the founder and a peer, each of
/// which was signed by somebody who is higher. When a statement was made would be no measure: its
/// author can say what it likes.
///
/// - Source: Documentation/Spec/sync.md §4.
struct CircleRanks: Sendable {
    private var depths: [PeerName: Int] = [:]

    /// The ranks by all statements, whether they count or not.
    init(_ founding: Statement, _ statements: [Statement]) {
        var named: [PeerName: [PeerName]] = [:]
        for statement in [founding] + statements {
            named[statement.author, default: []] += statement.namedPeers
        }
        var level = [founding.author]
        depths[founding.author] = 0
        while !level.isEmpty {
            var next: [PeerName] = []
            for author in level {
                for peer in named[author] ?? [] where depths[peer] == nil {
                    depths[peer] = (depths[author] ?? 0) + 1
                    next.append(peer)
                }
            }
            level = next
        }
    }

    /// The peers from the highest to the lowest.
    func sorted(_ peers: some Sequence<PeerName>) -> [PeerName] { peers.sorted(by: isAbove) }

    /// Whether a peer is above another: fewer statements from the founder; with as many, the
    /// smaller name.
    func isAbove(_ first: PeerName, _ second: PeerName) -> Bool {
        (depths[first] ?? .max, first) < (depths[second] ?? .max, second)
    }
}

extension Statement {
    /// The peers and recovery keys that it brings in.
    fileprivate var namedPeers: [PeerName] {
        let keys: PeerKeys? =
            switch action {
            case .found(_, _, _, let recovery): recovery
            case .add(let keys, _), .recover(let keys, _): keys
            case .remove, .rotate: nil
            }
        return [keys].compactMap { try? $0?.name() }
    }
}

extension SyncMachine {
    /// The members from the highest to the lowest: of two that remove each other, the higher stays.
    package var membersByRank: [PeerName] {
        guard let circle, let founding = memory.statements[memory.founding] else { return [] }
        return CircleRanks(founding, Array(memory.statements.values)).sorted(circle.members)
    }
}
