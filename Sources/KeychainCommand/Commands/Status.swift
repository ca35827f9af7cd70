import KeychainMessages
import KeychainModel

/// `status`.
enum Status {
    /// Reports everything about the device and the store that is not secret.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let status = try context.status()
        let facts = try EndpointFacts(context)
        try context.print(
            arguments.has(.json)
                ? json(status, facts).page : TextTable.page(facts.rows + rows(status))
        )
    }

    private static func rows(_ status: DeviceStatus) -> [[String]] {
        let counts = ItemClass.stored.map { itemClass in
            "\(status.itemCounts[itemClass] ?? 0) \(itemClass.rawValue)"
        }
        return [
            ["state", status.lockState.rawValue],
            ["passcode", passcode(status)],
            ["failed attempts", attempts(status)],
            ["secure element", secureElement(status.secureElement)],
            ["location", status.location.map(QuotedText.of) ?? "memory"],
            ["access groups", status.accessGroups.map(QuotedText.of).joined(separator: ", ")],
            ["default group", status.defaultAccessGroup.map(QuotedText.of) ?? "none"],
            ["items", counts.joined(separator: ", ")],
            ["memory", status.memoryIsLocked ? "locked, never swapped" : "may be swapped to disk"],
        ]
    }

    private static func passcode(_ status: DeviceStatus) -> String {
        guard status.isPasscodeSet else { return "not set" }
        return "set" + (status.guessCost.map { "; a guess costs \($0.words)" } ?? "")
    }

    private static func attempts(_ status: DeviceStatus) -> String {
        let delay = delaySeconds(status)
        return delay > 0
            ? "\(status.failedAttempts), the next one in \(delay) s" : "\(status.failedAttempts)"
    }

    private static func secureElement(_ word: String) -> String {
        word == "software" ? "software (a file on this disk; see SECURITY.md)" : word
    }

    /// Returns the delay before the next attempt in whole seconds, rounded up.
    private static func delaySeconds(_ status: DeviceStatus) -> Int64 {
        Int64(exactly: status.delaySeconds.rounded(.up)) ?? .max
    }

    private static func json(_ status: DeviceStatus, _ facts: EndpointFacts) -> JSONValue {
        let counts = ItemClass.stored.map { itemClass in
            (itemClass.rawValue, JSONValue.number(Int64(status.itemCounts[itemClass] ?? 0)))
        }
        let members: [String: JSONValue] = [
            "state": .text(status.lockState.rawValue),
            "passcodeSet": .flag(status.isPasscodeSet),
            "failedAttempts": .number(Int64(status.failedAttempts)),
            "delaySeconds": .number(delaySeconds(status)),
            "secureElement": .text(status.secureElement),
            "location": status.location.map(JSONValue.text) ?? .null,
            "groups": .list(status.accessGroups.map(JSONValue.text)),
            "accessGroups": .list(status.accessGroups.map(JSONValue.text)),
            "defaultAccessGroup": status.defaultAccessGroup.map(JSONValue.text) ?? .null,
            "items": .object(Dictionary(uniqueKeysWithValues: counts)),
            "memoryIsLocked": .flag(status.memoryIsLocked),
            "guessCost": status.guessCost.map { cost in
                .object([
                    "memoryKiB": .number(Int64(cost.memoryKiB)),
                    "passes": .number(Int64(cost.passes)),
                ])
            } ?? .null,
        ]
        return .object(members.merging(facts.members) { $1 })
    }
}

extension DeviceStatus.GuessCost {
    /// The memory and passes in words.
    var words: String {
        let memory = memoryKiB < 1024 ? "\(memoryKiB) KiB" : "\(memoryKiB / 1024) MiB"
        return memory + (passes == 1 ? " and 1 pass" : " and \(passes) passes")
    }
}
