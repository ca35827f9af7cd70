import KeychainMessages
import KeychainModel

/// `access-groups`.
enum AccessGroups {
    /// Prints one group on each line, and marks the group of new items.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let status = try context.status()
        guard !arguments.has(.json) else { return try context.print(json(status).page) }
        let rows = status.accessGroups.map { group in
            group == status.defaultAccessGroup ? [group, "(default)"] : [group]
        }
        try context.print(TextTable.page(rows))
    }

    private static func json(_ status: DeviceStatus) -> JSONValue {
        .object([
            "accessGroups": .list(status.accessGroups.map(JSONValue.text)),
            "defaultAccessGroup": status.defaultAccessGroup.map(JSONValue.text) ?? .null,
        ])
    }
}
