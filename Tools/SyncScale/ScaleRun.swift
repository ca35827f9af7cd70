/// All measurements, one after the other.
struct ScaleRun: Sendable {
    let options: ScaleOptions
    /// Receives a part of the report as soon as it is known.
    let show: @Sendable (String) -> Void

    func run() throws {
        let scene = try Scene(options.server, connectionCount: options.connectionCount)
        try showFleet(scene)
        for count in options.circles { try showCircle(of: count, scene) }
        try showCrowds(scene)
        try showFilled(scene)
    }

    // MARK: - Many accounts

    private func showFleet(_ scene: Scene) throws {
        guard options.deviceCount > 0 else { return }
        show(
            """

            ## \(options.deviceCount) devices of \(options.accountCount) accounts, \
            \(options.itemCount) items each

            """
        )
        let fleet = try Fleet(
            scene,
            deviceCount: options.deviceCount,
            accountCount: options.accountCount
        )
        var phases = try join(fleet)
        let database = try Database(scene.place(.relay))
        var sizes = [try TableFacts(database).row("after joining")]
        phases.append(try synchronize(fleet))
        sizes.append(try TableFacts(database).row("after the first synchronization"))
        let steady = try scene.phase("\(options.changeCount) changes of each device") {
            try fleet.change(min(options.changeCount, options.itemCount), round: 1, $0)
        }
        try fleet.verify(itemCount: options.itemCount, versions: ends(round: 1))
        phases.append(steady)
        phases.append(try scene.phase("nothing to do") { try fleet.pass($0) })
        sizes.append(try TableFacts(database).row("after the changes"))
        show(Words.table(PhaseFigures.head, phases.map(\.row)) + "\n")
        show(Words.table(PhaseFigures.callHead, phases.map(\.callRow)) + "\n")
        show(Words.table(TableFacts.head, sizes) + "\n")
        showBytes(steady)
        let memory = MachineLoad.ownMemory
        show("Memory of all devices: \(Words.mebibytes(memory))\n")
        try showCheckpoints(fleet.first(options.checkpointAccountCount), database)
    }

    private func join(_ fleet: Fleet) throws -> [PhaseFigures] {
        let phases = [
            try fleet.scene.phase("founding and asking") { try fleet.ask($0) },
            try fleet.scene.phase("approving") { try fleet.approve($0) },
            try fleet.scene.phase("entering") { try fleet.settle($0) },
        ]
        try fleet.verify(itemCount: 0, versions: [])
        return phases
    }

    private func synchronize(_ fleet: Fleet) throws -> PhaseFigures {
        Progress.tell("adding items")
        try fleet.scene.turns.run(fleet.devices) { try $0.add(options.itemCount) }
        let phase = try fleet.scene.phase("first synchronization") { try fleet.settle($0) }
        try fleet.verify(itemCount: options.itemCount, versions: ends(round: 0))
        return phase
    }

    /// Returns the expected versions of the first item, which a round changed, and of the last one.
    ///
    /// The last one changes only in a round that changes all items.
    private func ends(round: Int) -> [Fleet.Version] {
        let count = options.itemCount
        let last = options.changeCount < count ? 0 : round
        let ends = [
            Fleet.Version(number: 0, round: options.changeCount > 0 ? round : 0),
            Fleet.Version(number: count - 1, round: last),
        ]
        return count > 0 ? ends : []
    }

    private func showBytes(_ phase: PhaseFigures) {
        let count = max(1, phase.content.sentCount)
        show(
            """
            Bytes on the relay per change, \(options.changeCount) in a segment: \
            \(phase.appendedByteCount / count)

            """
        )
    }

    private func showCheckpoints(_ fleet: Fleet, _ database: Database) throws {
        guard !fleet.accounts.isEmpty else { return }
        let names = try fleet.names()
        let before = try TableFacts.entries(of: names, database)
        var roundCount = 0
        // More than half of the changes are out of date when a stream has 64 segments.
        let count = max(options.changeCount, options.itemCount / 32 + 1)
        let changed = min(count, options.itemCount)
        let phase = try fleet.scene.phase("until checkpoints") {
            roundCount = try fleet.changeUntilTrimmed(changed, from: 1, $0)
        }
        let after = try TableFacts.entries(of: names, database)
        show(Words.table(PhaseFigures.head, [phase.row]) + "\n")
        show(Words.table(PhaseFigures.callHead, [phase.callRow]) + "\n")
        let (had, has) = (Words.mebibytes(before.byteCount), Words.mebibytes(after.byteCount))
        show(
            """
            \(fleet.devices.count) devices changed \(changed) items in each of \(roundCount) \
            rounds. Their relay had \(before.count) entries with \(had), got \
            \(phase.appendedCount) with \(Words.mebibytes(phase.appendedByteCount)), and has \
            \(after.count) with \(has) after the checkpoints.

            """
        )
    }

    // MARK: - One account

    private func showCircle(of count: Int, _ scene: Scene) throws {
        show("\n## One circle of \(count) devices, \(options.circleItemCount) items each\n")
        let fleet = try Fleet(scene, deviceCount: count, accountCount: 1)
        var phases = try join(fleet)
        try scene.turns.run(fleet.devices) { try $0.add(options.circleItemCount) }
        phases.append(try scene.phase("first synchronization") { try fleet.settle($0) })
        try fleet.verify(itemCount: options.circleItemCount, versions: first(round: 0))
        try fleet.accounts[0][0].change(1, round: 1)
        phases.append(
            try scene.phase("one change of one device") { book in
                try fleet.pass(book)
                try fleet.pass(book)
            }
        )
        phases.append(
            try scene.phase("one change of each device") { try fleet.change(1, round: 2, $0) }
        )
        try fleet.verify(itemCount: options.circleItemCount, versions: first(round: 2))
        phases.append(try scene.phase("nothing to do") { try fleet.pass($0) })
        show(Words.table(PhaseFigures.head, phases.map(\.row)) + "\n")
        show(Words.table(PhaseFigures.callHead, phases.map(\.callRow)) + "\n")
        let database = try Database(scene.place(.relay))
        let entries = try TableFacts.entries(of: fleet.names(), database)
        show("On the relay: \(entries.count) entries, \(Words.mebibytes(entries.byteCount))\n")
    }

    private func first(round: Int) -> [Fleet.Version] {
        [Fleet.Version(number: 0, round: round)]
    }

    // MARK: - Many that wait, and many rows

    private func showCrowds(_ scene: Scene) throws {
        guard !options.crowds.isEmpty else { return }
        let databases: [(Scene.Purpose, String)] = [
            (.relay, "in the same database"), (.crowd, "in another database"),
        ]
        for (database, name) in databases {
            let crowd = Crowd(scene: scene, database: database)
            let (figures, end) = try crowd.figures(of: options.crowds)
            show("\n## Devices that wait, \(name)\n")
            show(Words.table(Crowd.Figures.head, figures.map(\.row)) + "\n")
            if let end { show("It ended there: \(end)\n") }
        }
    }

    private func showFilled(_ scene: Scene) throws {
        guard !options.filled.isEmpty else { return }
        let filled = try FilledDatabase(scene, sampleCount: options.sampleCount)
        let figures = try filled.figures(of: options.filled)
        show("\n## Rows of many accounts\n")
        show(Words.table(FilledDatabase.Figures.head, figures.map(\.row)) + "\n")
        let searches = figures.flatMap { figure in
            figure.searches.map { search in
                [
                    "\(figure.accountCount)", search.table, "\(search.index)", "\(search.whole)",
                ]
            }
        }
        let head = ["accounts", "table", "searches by index", "partitions read whole"]
        show(Words.table(head, searches) + "\n")
        for plan in figures.last?.plans ?? [] {
            show("\(plan.name):\n```\n\(plan.lines.joined(separator: "\n"))\n```\n")
        }
    }
}
