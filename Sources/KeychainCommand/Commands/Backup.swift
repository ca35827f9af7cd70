import KeychainHost
import KeychainModel

/// `backup`.
enum Backup {
    /// Asks for a password and writes the file.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let path = arguments.operands[0]
        let endpoint = try context.backupEndpoint()
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
    }

    private static func rows(_ report: BackupReport) -> [[String]] {
        let omitted = BackupReport.Omission.allCases.compactMap { reason -> [String]? in
            report.omissions[reason].map { ["left out, \(reason.words)", "\($0)"] }
        }
        return [["items", "\(report.itemCount)"]] + omitted
    }

    private static func json(_ report: BackupReport) -> JSONValue {
        let omitted = BackupReport.Omission.allCases.map { reason in
            (reason.rawValue, JSONValue.number(Int64(report.omissions[reason] ?? 0)))
        }
        return .object([
            "items": .number(Int64(report.itemCount)),
            "leftOut": .object(Dictionary(uniqueKeysWithValues: omitted)),
        ])
    }
}

extension BackupReport.Omission {
    fileprivate var words: String {
        switch self {
        case .passcode: "need the passcode"
        case .accessControl: "have an access control"
        case .token: "keys of the secure element"
        case .thisDeviceOnly: "for this device only"
        case .damaged: "damaged"
        }
    }
}
