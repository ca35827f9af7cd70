import KeychainMessages
import KeychainModel

/// `check`.
enum CheckKeychain {
    /// Verifies every row by opening it, and names each fault as soon as it is found.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let endpoint = try context.connected()
        if arguments.has(.acceptRows) { try context.provePasscodeToDaemon() }
        let writer = CheckWriter(isJSON: arguments.has(.json), context)
        var comparison = RowComparison.alike
        let report = try context.showingProgress(of: "check") { line throws(KeychainError) in
            try endpoint.check(
                .everything,
                naming: { fault in
                    line.clear()
                    if case .rowSum = fault { comparison = .different }
                    writer.write(fault)
                },
                noting: { item in
                    line.clear()
                    writer.write(item)
                },
                progress: { line.show($0) }
            )
        }
        if arguments.has(.acceptRows), comparison == .different {
            comparison = .accepted(try acceptRows(at: endpoint))
        }
        try writer.finish(report, comparison)
        try fail(report.faultCount - (comparison.isAccepted ? 1 : 0), beside: comparison)
    }

    private static func acceptRows(
        at endpoint: any Endpoint
    ) throws(CommandFailure) -> Int {
        try CommandFailure.wrapping(try endpoint.acceptRows())
    }

    /// Fails if the check found faults, except for a difference that the user just accepted.
    private static func fail(
        _ faultCount: Int,
        beside comparison: RowComparison
    ) throws(CommandFailure) {
        guard faultCount > 0 else { return }
        let words = faultCount == 1 ? "1 fault" : "\(faultCount) faults"
        let rest = comparison.isAccepted ? "no row was changed" : "nothing was changed or deleted"
        throw .keychain(KeychainError(.decode, "\(words); \(rest)"))
    }
}

/// The result of comparing the stored rows with the rows that the keychain wrote.
private enum RowComparison: Equatable {
    case alike
    case different
    /// The current rows, of this number, now count as the written ones.
    case accepted(Int)

    var isAccepted: Bool { if case .accepted = self { true } else { false } }
}

/// Writes the faults of a check one at a time, so memory use does not depend on their number.
private final class CheckWriter {
    private let isJSON: Bool
    private let context: CommandContext
    private var count = 0
    private var notes: [JSONValue] = []
    /// The first failure to write, which stops further output.
    ///
    /// A listener cannot throw it.
    private var failure: CommandFailure?

    init(isJSON: Bool, _ context: CommandContext) {
        self.isJSON = isJSON
        self.context = context
    }

    func write(_ fault: CheckFault) {
        guard isJSON else { return print(Page(line: fault.sentence)) }
        var page = Page()
        page.append(raw: count == 0 ? "{\n\"faults\": [\n" : ",\n")
        page.append(fault.json.page)
        print(page)
    }

    /// Writes a table row at once, or collects it for the JSON list after the faults.
    func write(_ item: BoundItem) {
        guard isJSON else { return print(Page(line: item.sentence)) }
        notes.append(item.json)
    }

    /// Writes the totals.
    ///
    /// - Throws: The first failure to write anything.
    func finish(
        _ report: CheckReport,
        _ comparison: RowComparison
    ) throws(CommandFailure) {
        if let failure { throw failure }
        guard isJSON else {
            return try context.print(TextTable.page(Self.rows(report, comparison)))
        }
        var page = Page()
        page.append(raw: count == 0 ? "{\n\"faults\": [],\n\"notes\": " : "],\n\"notes\": ")
        page.append(JSONValue.list(notes).page)
        page.append(raw: ",\n\"rows\": ")
        page.append(Self.json(report, comparison).page)
        page.append(raw: "}\n")
        try context.print(page)
    }

    private func print(_ page: Page) {
        guard failure == nil else { return }
        count += 1
        do throws(CommandFailure) { try context.print(page) } catch { failure = error }
    }

    private static func rows(
        _ report: CheckReport,
        _ comparison: RowComparison
    ) -> [[String]] {
        let counts = ItemClass.stored.map { itemClass in
            "\(report.soundCounts[itemClass] ?? 0) \(itemClass.rawValue)"
        }
        var rows = [["sound", counts.joined(separator: ", ")]]
        if report.guardedCount > 0 {
            rows.append(["guarded", "\(report.guardedCount), which open only after a prompt"])
        }
        if report.endedCount > 0 {
            rows.append(["ended", "\(report.endedCount), which nothing opens any more"])
        }
        if report.lockedCount > 0 {
            rows.append(["closed", "\(report.lockedCount), not checked: run unlock-keychain"])
        }
        rows.append(["unreadable", "\(report.unreadableCount)"])
        if report.mayHoldEarlierValues {
            rows.append(["log", "earlier values may still be in it, because another process reads"])
        }
        if case .accepted(let count) = comparison {
            rows.append(["accepted", "\(count) rows as the ones that were written"])
        }
        return rows
    }

    private static func json(_ report: CheckReport, _ comparison: RowComparison) -> JSONValue {
        let counts = ItemClass.stored.map { itemClass in
            (itemClass.rawValue, JSONValue.number(Int64(report.soundCounts[itemClass] ?? 0)))
        }
        var members: [String: JSONValue] = [
            "sound": .object(Dictionary(uniqueKeysWithValues: counts)),
            "guarded": .number(Int64(report.guardedCount)),
            "ended": .number(Int64(report.endedCount)),
            "closed": .number(Int64(report.lockedCount)),
            "unreadable": .number(Int64(report.unreadableCount)),
            "earlierValuesInLog": .flag(report.mayHoldEarlierValues),
        ]
        if case .accepted(let count) = comparison { members["accepted"] = .number(Int64(count)) }
        return .object(members)
    }
}

extension CheckFault {
    /// The fault as a sentence for the user.
    fileprivate var sentence: String {
        switch self {
        case .row(let row): row.sentence
        case .metadataKey(let protection):
            "the key of all \(protection.name) items does not open, so none of them does"
        case .groupName(let digest): "the name of the access group \(digest) does not open"
        case .database(let text): "database: \(text)"
        case .rowSum(let found, let written): Self.rowSumSentence(found, written)
        }
    }

    private static func rowSumSentence(_ found: Int?, _ written: Int?) -> String {
        guard let found else { return "the rows cannot be compared with what was written" }
        guard let written else {
            return "the sum of the rows does not open: rows may have been restored or removed"
        }
        let count = found == 1 ? "1 row" : "\(found) rows"
        return found == written
            ? "rows were restored or replaced: found \(count), as expected, but not the latest ones"
            : "rows were restored or removed: found \(count), expected \(written)"
    }

    fileprivate var json: JSONValue {
        switch self {
        case .row(let row): .object(row.json)
        case .metadataKey(let protection):
            .object(["kind": .text("metadataKey"), "class": .text(protection.name)])
        case .groupName(let digest):
            .object(["kind": .text("groupName"), "digest": .text(digest)])
        case .database(let text): .object(["kind": .text("database"), "reason": .text(text)])
        case .rowSum(let found, let written):
            .object([
                "kind": .text("rowSum"), "found": found.map { .number(Int64($0)) } ?? .null,
                "expected": written.map { .number(Int64($0)) } ?? .null,
            ])
        }
    }
}

extension BoundItem {
    fileprivate var sentence: String {
        "note: \(itemClass.rawValue) row \(row)\(attributes.names(for: itemClass)): \(reason)"
    }

    private var reason: String {
        "its passcode or enrolment is gone, so nothing opens it; delete it and add it again"
    }

    fileprivate var json: JSONValue {
        var item = ItemDictionary()
        item.attributes = attributes
        var members = ItemJSON.object(item, itemClass)
        members["kind"] = .text("ended")
        members["row"] = .number(row)
        return .object(members)
    }
}

extension UnreadableRow {
    private var reason: String {
        switch part {
        case .columns: "its columns are malformed"
        case .attributes: "its attributes do not open"
        case .value: "its value does not open"
        }
    }

    fileprivate var sentence: String {
        "\(itemClass.rawValue) row \(row)\(attributes.names(for: itemClass)): \(reason)"
    }

    fileprivate var json: [String: JSONValue] {
        var members = ItemJSON.object(dictionary, itemClass)
        members["kind"] = .text("row")
        members["row"] = .number(row)
        members["part"] = .text(part.rawValue)
        return members
    }

    private var dictionary: ItemDictionary {
        var dictionary = ItemDictionary()
        dictionary.attributes = attributes
        return dictionary
    }
}
