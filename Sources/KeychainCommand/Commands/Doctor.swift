import Cryptography
import KeychainHost
import KeychainMessages
import KeychainModel

/// `doctor`.
enum Doctor {
    /// Examines everything that a keychain needs, and gives advice about each problem.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try examine(arguments, context, .current)
    }

    /// Examines the keychain that an environment describes.
    static func examine(
        _ arguments: Arguments,
        _ context: CommandContext,
        _ environment: ProcessEnvironment
    ) throws(CommandFailure) {
        var found = [Observation(.fine, "program", "keychainctl \(Version.text)")]
        found += HostExamination(environment).observations()
        found += keychain(context, environment)
        found += DoorExamination(environment).states().compactMap(\.observation)
        found += EditFolder.leftovers().map { path in
            let advice = "look for what you need in it, then remove it"
            return Observation(.notice, "files", EditFolder.words(path), advice: advice)
        }
        try context.print(
            arguments.has(.json) ? JSONValue.list(found.map(json)).page : page(found)
        )
        let problems = found.count { $0.verdict == .problem }
        guard problems > 0 else { return }
        let words = problems == 1 ? "1 problem" : "\(problems) problems"
        throw .keychain(KeychainError(.notAvailable, "\(words); nothing was changed"))
    }

    /// Returns what the keychain reports about itself, or why it does not open.
    private static func keychain(
        _ context: CommandContext,
        _ environment: ProcessEnvironment
    ) -> [Observation] {
        do throws(CommandFailure) {
            let status = try context.status()
            let facts = try EndpointFacts(context)
            let (report, database) = try database(context)
            let place = GroupExamination.Place(facts.endpoint.kind, environment)
            let groups = GroupExamination(status, report.groupCounts, place)
            return seen(facts, status) + device(status, facts.endpoint.kind)
                + groups.observations() + database
        } catch {
            let advice = "correct what is named above; replace a damaged file with a copy"
            return [Observation(.problem, "opening", error.message, advice: advice)]
        }
    }

    /// Describes the endpoint, and the level that it assigns to this program.
    private static func seen(_ facts: EndpointFacts, _ status: DeviceStatus) -> [Observation] {
        var found = [Observation(.fine, "endpoint", facts.words)]
        if facts.endpoint.kind != .embedded, let location = status.location {
            found.append(Observation(.fine, "location", location))
        }
        guard let judged = facts.caller?.judged else { return found }
        let program = judged.level.word + ": " + QuotedText.of(judged.name)
        let text = ([program] + judged.reasons).joined(
            separator: "; "
        )
        found.append(Observation(judged.level == .nobody ? .notice : .fine, "level", text))
        return found
    }

    private static func device(
        _ status: DeviceStatus,
        _ kind: EndpointDescription.Kind
    ) -> [Observation] {
        let state =
            status.isPasscodeSet
            ? status.lockState.rawValue : "no passcode is set, so it is always unlocked"
        var found = [Observation(.fine, "state", state)]
        if status.failedAttempts > 0 {
            let text = "wrong passcodes since the last correct one: \(status.failedAttempts)"
            found.append(Observation(.notice, "attempts", text))
        }
        if let cost = status.guessCost { found.append(guess(cost)) }
        found.append(secureElement(status))
        found.append(memory(status, kind))
        return found
    }

    private static func guess(_ cost: DeviceStatus.GuessCost) -> Observation {
        let text = "a guess costs \(cost.words)"
        let least = Argon2id.Cost.minimum
        guard cost.memoryKiB < least.memoryKiB || cost.passes < least.passes else {
            return Observation(.fine, "passcode", text)
        }
        return Observation(
            .notice,
            "passcode",
            text + ", which is less than for a passcode that is set today",
            advice: "run keychainctl passcode change"
        )
    }

    private static func secureElement(_ status: DeviceStatus) -> Observation {
        guard status.secureElement == "software" else {
            return Observation(.fine, "secure element", status.secureElement)
        }
        let text = "software: a file on this disk protects the keys (see SECURITY.md)"
        guard !status.isPasscodeSet else { return Observation(.notice, "secure element", text) }
        return Observation(
            .notice,
            "secure element",
            text + "; no passcode does",
            advice: "run keychainctl passcode set"
        )
    }

    private static func memory(
        _ status: DeviceStatus,
        _ kind: EndpointDescription.Kind
    ) -> Observation {
        guard !status.memoryIsLocked else {
            return Observation(.fine, "memory", "the system never swaps secrets to disk")
        }
        return Observation(
            .notice,
            "memory",
            "the system may swap secrets to disk",
            advice: kind == .embedded
                ? "raise the limit of locked memory (ulimit -l)"
                : "raise LimitMEMLOCK of the service keychaind"
        )
    }

    private static func database(
        _ context: CommandContext
    ) throws(CommandFailure) -> (CheckReport, [Observation]) {
        var faults = 0
        let report: CheckReport
        let endpoint = try context.connected()
        do throws(KeychainError) {
            report = try endpoint.check(
                .database,
                naming: { _ in faults += 1 },
                noting: { _ in },
                progress: { _ in }
            )
        } catch { throw .keychain(error) }
        guard faults > 0 else {
            let sound = Observation(.fine, "database", "its pages and keys are intact")
            return (report, [sound] + (report.mayHoldEarlierValues ? [log] : []))
        }
        let fault = Observation(
            .problem,
            "database",
            faults == 1 ? "it has 1 fault" : "it has \(faults) faults",
            advice: "run keychainctl check to see them, then restore a backup into a new directory"
        )
        return (report, [fault])
    }
}

extension Doctor {
    private static let log = Observation(
        .notice,
        "log",
        "earlier values may still be in keychain.db-wal, because another process reads",
        advice: "end that process; the next command removes them"
    )

    private static func page(_ found: [Observation]) -> Page {
        let rows = found.flatMap { observation in
            let word =
                switch observation.verdict {
                case .fine: "ok"
                case .notice: "note"
                case .problem: "PROBLEM"
                }
            let row = [word, observation.subject, observation.text]
            return [row] + (observation.advice.map { [["", "", "→ " + $0]] } ?? [])
        }
        return TextTable.page(rows)
    }

    private static func json(_ observation: Observation) -> JSONValue {
        .object([
            "verdict": .text(observation.verdict.rawValue),
            "subject": .text(observation.subject),
            "text": .text(observation.text),
            "advice": observation.advice.map(JSONValue.text) ?? .null,
        ])
    }
}
