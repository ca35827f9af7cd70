import KeychainMessages
import KeychainModel

/// One run of the command line, from its arguments to its exit status.
package struct Invocation {
    /// What the command is called; Debian's `keychain` is another program.
    package static let programName = "keychainctl"

    private let context: CommandContext
    private let handlers: [String: Command.Run]

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - program: The path or name the command was called by.
    ///   - terminal: Where secrets come from and output goes to.
    ///   - handlers: Commands with a companion that this program carries out itself, by name.
    ///   - absentDirectory: The directory that `connect` would make; nil if there is a keychain.
    ///   - connect: Makes the endpoint when a command needs one.
    ///   - launch: Turns this process into another program.
    package init(
        program: String,
        terminal: any Terminal,
        handlers: [String: Command.Run] = [:],
        absentDirectory: @escaping () -> String? = { nil },
        connect: @escaping () throws(KeychainError) -> any Endpoint,
        launch: @escaping ProgramLaunch.Execute = { launch throws(CommandFailure) in
            try launch.execute()
        }
    ) {
        let name = program.split(separator: "/").last.map(String.init) ?? Self.programName
        self.handlers = handlers
        context = CommandContext(
            program: name,
            terminal: terminal,
            absentDirectory: absentDirectory,
            connect: connect,
            launch: launch
        )
    }

    /// Carries out the command that the arguments name.
    ///
    /// - Parameter words: The arguments without the program's name.
    /// - Returns: 0; 1 for an unknown command; 2 for wrong usage; else the low byte of the status.
    package func run(_ words: [String]) -> Int32 {
        var chosen: Command?
        let words = (CommandTable.programs[context.program].map { [$0] } ?? []) + words
        do throws(CommandFailure) {
            let command = try CommandTable.command(named: Self.leadingWord(of: words))
            chosen = command
            try carryOut(command, Array(words.dropFirst()))
            return 0
        } catch {
            report(error, during: chosen)
            return error.exitStatus
        }
    }

    private func carryOut(_ command: Command, _ words: [String]) throws(CommandFailure) {
        guard command.isAvailable else {
            let reason = "\(command.name) is not available yet"
            throw .keychain(KeychainError(.unimplemented, reason))
        }
        let arguments = try ArgumentParser(command).parse(words)
        guard !arguments.has(.help) else {
            try context.print(HelpText(program: context.program).page(for: command))
            return
        }
        try arguments.checkRequirements(of: command)
        if let handler = handlers[command.name] { return try handler(arguments, context) }
        guard let companion = command.companion else { return try command.run(arguments, context) }
        try context.launch(ProgramLaunch(companion: companion, arguments: words))
    }

    /// The command's name; the two options that stand alone are short for commands.
    private static func leadingWord(of words: [String]) throws(CommandFailure) -> String {
        switch words.first {
        case nil: throw .usage("missing command")
        case "-h"?, "--help"?: return "help"
        case "--version"?: return "version"
        case let word? where word.hasPrefix("-"):
            throw .usage("missing command: write it before the options")
        case let word?: return word
        }
    }

    /// Says on standard error what went wrong.
    ///
    /// Nobody is left to tell when that fails as well.
    private func report(_ failure: CommandFailure, during command: Command?) {
        let help = failure.isAboutUsage ? "; see " + HelpText.invocation(of: command) : ""
        try? context.note(failure.message + help)
    }
}
