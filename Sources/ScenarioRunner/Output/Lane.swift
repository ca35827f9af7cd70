import KeychainModel

/// One row of a time line.
struct Lane: Sendable {
    enum Kind: Sendable { case title, state, key, item }

    /// The subject of a row: an item or a file, or the device's state if both are nil.
    struct Subject: Hashable, Sendable {
        let device: String
        let item: String?
        var file: String?
    }

    /// The content of a row at one moment.
    struct Cell: Sendable, Hashable {
        /// The style sheet's class for the colour.
        let style: String
        /// The style sheet's class for a pattern over the colour.
        let pattern: String?
        let words: String
        let tooltip: String
    }

    let kind: Kind
    let name: String
    let subject: Subject
    /// One cell for each sample; nil for an empty one.
    let cells: [Cell?]

    /// Returns the rows of one device: its state, class keys, items and files.
    static func all(of run: ScenarioRun, device index: Int) -> [Lane] {
        let facts = run.devices[index]
        let samples = run.samples.map { $0.devices[index] }
        let nothing = run.samples.map { _ in Cell?.none }
        let aside = Subject(device: "", item: nil)
        var lanes: [Lane] = []
        if run.devices.count > 1 {
            lanes.append(Lane(kind: .title, name: facts.name, subject: aside, cells: nothing))
        }
        lanes.append(
            Lane(
                kind: .state,
                name: "state",
                subject: Subject(device: facts.name, item: nil),
                cells: samples.map { state($0.state) }
            )
        )
        for row in ProtectionClass.table {
            let suffix = row.protectionClass.suffix
            lanes.append(
                Lane(
                    kind: .key,
                    name: suffix,
                    subject: aside,
                    cells: samples.map { key(suffix, isOpen: $0.classKeys.contains(suffix)) }
                )
            )
        }
        return lanes
            + things(samples.map(\.items), "a read") { name in
                (name, Subject(device: facts.name, item: name))
            }
            + things(samples.map(\.files), "opening the file") { name in
                ("file " + name, Subject(device: facts.name, item: nil, file: name))
            }
    }

    /// Returns the rows of items or files.
    private static func things(
        _ samples: [[ItemSample]],
        _ access: String,
        _ row: (String) -> (name: String, subject: Subject)
    ) -> [Lane] {
        (samples.first ?? []).indices.map { index in
            let (name, subject) = row(samples[0][index].name)
            return Lane(
                kind: .item,
                name: name,
                subject: subject,
                cells: samples.map { cell($0[index], access) }
            )
        }
    }

    private static func state(_ state: String) -> Cell {
        let words = state == "beforeFirstUnlock" ? "before first unlock" : state
        return Cell(style: "state-\(state)", pattern: nil, words: words, tooltip: words)
    }

    private static func key(_ suffix: String, isOpen: Bool) -> Cell? {
        guard isOpen else { return nil }
        let tooltip = "the key of \(suffix) is in memory"
        return Cell(style: "key", pattern: nil, words: "", tooltip: tooltip)
    }

    private static func cell(_ item: ItemSample, _ access: String) -> Cell {
        let look = OutcomeLook.of(item.outcome)
        let status = item.outcome == .refused ? " (\(item.status))" : ""
        let words = item.asks.map { "asks: \($0)" } ?? look.words + status
        return Cell(
            style: item.outcome.rawValue,
            pattern: look.pattern,
            words: words,
            tooltip: "\(access) would return \(item.status): \(look.meaning)"
        )
    }
}

/// The look of an outcome, which differs by more than colour.
struct OutcomeLook: Sendable {
    let words: String
    let pattern: String?
    let meaning: String

    static func of(_ outcome: ItemSample.Outcome) -> OutcomeLook {
        switch outcome {
        case .readable:
            OutcomeLook(words: "readable", pattern: nil, meaning: "the value")
        case .asks:
            OutcomeLook(words: "asks", pattern: "dotted", meaning: "the user is prompted first")
        case .open:
            OutcomeLook(
                words: "open",
                pattern: "hatched",
                meaning: "a locked file that an app has open and can use"
            )
        case .locked:
            OutcomeLook(words: "locked", pattern: "hatched", meaning: "out of reach in this state")
        case .absent:
            OutcomeLook(words: "absent", pattern: nil, meaning: "not there")
        case .refused:
            OutcomeLook(words: "refused", pattern: "crossed", meaning: "refused for another reason")
        }
    }
}
