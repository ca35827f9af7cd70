import KeychainHost
import KeychainMessages
import KeychainModel

/// `backup`.
enum Backup {
    /// Prompts for a password and writes the backup.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let path = arguments.operands[0]
        let endpoint = try context.connected()
        try context.provePasscodeToDaemon()
        let password = try SecretInput(context.terminal).newLine(called: "Backup password")
        context.warnIfWeak(password.secret, called: "backup password")
        let report = try context.showingProgress(of: "backup") { line throws(KeychainError) in
            let file = try BackupFileWriter(path: path)
            let report = try endpoint.backup(
                password: password,
                to: { bytes throws(KeychainError) in try file.write(bytes) },
                progress: { line.show($0) }
            )
            try file.finish()
            return report
        }
        try context.print(arguments.has(.json) ? json(report).page : TextTable.page(rows(report)))
        if let warning = warning(report) { try context.note(warning) }
    }

    /// Returns a warning about items that only this machine can read: their number, classes and
    /// reasons; nil if there are none.
    private static func warning(_ report: BackupReport) -> String? {
        guard report.stayingCount > 0 else { return nil }
        let classes = staying(report).map { words($0.count, of: $0.itemClass) }
        var reasons = BackupReport.Omission.allCases.compactMap { reason in
            report.omissions[reason].map { "\($0) \(reason.words($0))" }
        }
        if report.deviceBoundCount > 0 {
            reasons.insert(
                "\(report.deviceBoundCount) ThisDeviceOnly, which only this device can restore",
                at: 0
            )
        }
        let items = report.stayingCount == 1 ? "item" : "items"
        return "warning: \(report.stayingCount) \(items) will not travel to another machine: "
            + classes.joined(separator: ", ") + " (" + reasons.joined(separator: "; ") + ")"
    }

    private static func staying(
        _ report: BackupReport
    ) -> [(itemClass: ItemClass, count: Int)] {
        ItemClass.stored.compactMap { itemClass in
            report.stayingCounts[itemClass].map { (itemClass, $0) }
        }
    }

    /// Returns a count of items with the name of their class.
    private static func words(_ count: Int, of itemClass: ItemClass) -> String {
        let (one, many) =
            switch itemClass {
            case .genericPassword: ("generic password", "generic passwords")
            case .internetPassword: ("internet password", "internet passwords")
            case .certificate: ("certificate", "certificates")
            case .key: ("key", "keys")
            case .identity: ("identity", "identities")
            }
        return "\(count) \(count == 1 ? one : many)"
    }

    private static func rows(_ report: BackupReport) -> [[String]] {
        let omitted = BackupReport.Omission.allCases.compactMap { reason -> [String]? in
            report.omissions[reason].map { ["left out, \(reason.words($0))", "\($0)"] }
        }
        return [["items", "\(report.itemCount)"]] + omitted
    }

    private static func json(_ report: BackupReport) -> JSONValue {
        let omitted = BackupReport.Omission.allCases.map { reason in
            (reason.rawValue, JSONValue.number(Int64(report.omissions[reason] ?? 0)))
        }
        let classes = staying(report).map {
            ($0.itemClass.rawValue, JSONValue.number(Int64($0.count)))
        }
        return .object([
            "items": .number(Int64(report.itemCount)),
            "leftOut": .object(Dictionary(uniqueKeysWithValues: omitted)),
            "notTravelling": .object([
                "items": .number(Int64(report.stayingCount)),
                "thisDeviceOnlyInBackup": .number(Int64(report.deviceBoundCount)),
                "classes": .object(Dictionary(uniqueKeysWithValues: classes)),
            ]),
        ])
    }
}

extension BackupReport.Omission {
    /// Returns why items are left out of the backup, in the singular or plural.
    fileprivate func words(_ count: Int) -> String {
        switch self {
        case .passcode: count == 1 ? "needs the passcode" : "need the passcode"
        case .accessControl: count == 1 ? "has an access control" : "have an access control"
        case .token: count == 1 ? "key of the secure element" : "keys of the secure element"
        case .thisDeviceOnly: "for this device only"
        case .damaged: "damaged"
        }
    }
}
