import KeychainHost
import KeychainMessages
import KeychainModel

/// `restore`.
enum Restore {
    /// Prompts for the password and restores the backup.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let path = arguments.operands[0]
        let endpoint = try context.connected()
        try context.provePasscodeToDaemon()
        let password = try SecretInput(context.terminal).line(called: "Backup password")
        let report = try context.showingProgress(of: "restore") { line throws(KeychainError) in
            let file = try BackupFileReader(path: path)
            WorkProgress.listen { done, _ in line.show(done) }
            defer { WorkProgress.listen(nil) }
            return try endpoint.restore(
                password: password,
                from: { count throws(KeychainError) in try file.read(count) }
            )
        }
        try context.print(arguments.has(.json) ? json(report).page : page(report))
    }

    private static func page(_ report: RestoreReport) -> Page {
        var page = TextTable.page([
            ["restored", "\(report.restoredCount)"],
            ["kept, not older", "\(report.keptCount)"],
            ["deleted since", "\(report.deletedCount)"],
            ["of another device", "\(report.foreignCount)"],
        ])
        for conflict in report.conflicts {
            let deed = conflict.isReplaced ? "replaced" : "kept"
            let name = conflict.name ?? "without a name"
            page.append(line: "\(deed): \(conflict.itemClass) \(name) in \(conflict.accessGroup)")
        }
        return page
    }

    private static func json(_ report: RestoreReport) -> JSONValue {
        .object([
            "restored": .number(Int64(report.restoredCount)),
            "kept": .number(Int64(report.keptCount)),
            "deletedSince": .number(Int64(report.deletedCount)),
            "ofAnotherDevice": .number(Int64(report.foreignCount)),
            "conflicts": .list(
                report.conflicts.map { conflict in
                    .object([
                        "class": .text(conflict.itemClass),
                        "accessGroup": .text(conflict.accessGroup),
                        "name": conflict.name.map(JSONValue.text) ?? .null,
                        "replaced": .flag(conflict.isReplaced),
                    ])
                }
            ),
        ])
    }
}
