import JSON
import KeychainCommand
import KeychainHost

/// `doors`.
enum DoorsCommand {
    /// Reports which programs serve other programs through a protocol of their own.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let environment = ProcessEnvironment.current
        let examination = DoorExamination(environment)
        let states = examination.states(examination.hasBus ? SecretServiceOwner.ask() : .unasked)
        try context.print(arguments.has(.json) ? json(states) : page(states))
    }

    static func page(_ states: [DoorState]) -> Page {
        var page = TextTable.page(
            states.map { [$0.door.rawValue, $0.words] }
        )
        for state in states {
            guard let advice = state.advice else { continue }
            page.append(line: "\(state.door.rawValue): \(advice)")
        }
        return page
    }

    static func json(_ states: [DoorState]) -> Page {
        JSONValue.list(states.map(json)).page
    }

    private static func json(_ state: DoorState) -> JSONValue {
        .object([
            "door": .text(state.door.rawValue),
            "answer": .text(state.answer.rawValue),
            "isKeychain": .flag(state.isOurs),
            "program": text(state.program),
            "process": state.process.map { .number(Int64($0)) } ?? .null,
            "place": text(state.place),
            "remark": text(state.remark),
            "advice": text(state.advice),
        ])
    }

    private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }
}
