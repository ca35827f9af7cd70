import KeychainMigration

/// The order in which secrets move.
///
/// git uses the first one of its files, and `git-credential` gives the newest item first.
struct MoveOrder {
    let moves: [Move]
    /// The position in `moves` of each planned move.
    private let positions: [Int]

    init(_ plans: [PlannedSecret]) {
        let plans = plans.filter { $0.move != nil }
        let planned = plans.compactMap(\.move)
        var order = Array(planned.indices)
        let groups = Dictionary(grouping: order.filter { plans[$0].isForGit }) { index in
            Self.server(of: planned[index])
        }
        for (server, indices) in groups where server != nil {
            for (index, other) in zip(indices, indices.reversed()) { order[index] = other }
        }
        moves = order.map { planned[$0] }
        var positions = order
        for (position, index) in order.enumerated() { positions[index] = position }
        self.positions = positions
    }

    /// nil for what is for no server.
    private static func server(of move: Move) -> String? {
        guard case .text(let server)? = move.target.attributes[.server] else { return nil }
        return server
    }

    /// Returns the report's lines in the order of the plan, including lines for moves that were not
    /// made.
    ///
    /// Those are found by their identifiers.
    func lines(
        of lines: [MigrationReport.Line],
        besides others: [String: MigrationReport.Line]
    ) -> [MigrationReport.Line] {
        var made = lines[...]
        let all = moves.compactMap { others[$0.id] ?? made.popFirst() }
        return positions.compactMap { all.indices.contains($0) ? all[$0] : nil }
    }
}
