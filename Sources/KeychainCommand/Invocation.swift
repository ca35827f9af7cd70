import KeychainMessages
import KeychainModel

/// One run of the command line, from its arguments to its exit status.
package struct Invocation {
    /// The name of the program; Debian's `keychain` is another program.
    package static let programName = "keychainctl"

    private let context: CommandContext
    private let handlers: [String: Command.Run]

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - program: The path or name by which the program was run.
    ///   - terminal: The source of secrets and the destination of output.
    ///   - handlers: Commands of a companion that this program carries out itself, by name.
    ///   - absentDirectory: The directory that `connect` would make; nil if there is a keychain.
    ///   - connect: Makes the endpoint when a command needs one.
    ///   - launch: Replaces this process with another program.
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

    /// Runs the command that the arguments name.
    ///
    /// - Parameter words: The arguments without the program's name.
    /// - Returns: 0; 1 for an unknown command; 2 for wrong usage; otherwise the low byte of the
    ///   status.
    package func run(_ words: [String]) -> Int32 {
        let words = (CommandTable.programs[context.program].map { [$0] } ?? []) + words
        let leading: LeadingOptions
        do throws(CommandFailure) { leading = try LeadingOptions(words) } catch {
            report(error, during: nil, context)
            return error.exitStatus
        }
        let context = context.changed(session: leading.session)
        guard leading.session.isInteractive, leading.words.isEmpty else {
            return run(leading.words, context)
        }
        return Self.runSession(prompt: leading.prompt, on: context.terminal) { words in
            run(words[...], context)
        }
    }

    private func run(_ words: ArraySlice<String>, _ context: CommandContext) -> Int32 {
        var chosen: Command?
        do throws(CommandFailure) {
            guard let word = words.first else { throw .usage("missing command") }
            let command = try CommandTable.command(named: word)
            chosen = command
            try carryOut(command, Array(words.dropFirst()), context)
            return 0
        } catch {
            report(error, during: chosen, context)
            return error.exitStatus
        }
    }

    private func carryOut(
        _ command: Command,
        _ words: [String],
        _ context: CommandContext
    ) throws(CommandFailure) {
        let arguments = try ArgumentParser(command).parse(words)
        guard !arguments.has(.help) else {
            try context.print(HelpText(program: context.program).page(for: command))
            return
        }
        try arguments.checkRequirements(of: command)
        let context = try context.keychain(of: command, arguments)
        if let handler = handlers[command.name] { return try handler(arguments, context) }
        guard let companion = command.companion else { return try command.run(arguments, context) }
        try context.launch(ProgramLaunch(companion: companion, arguments: words))
    }

    /// Reports a failure on standard error.
    ///
    /// Ignores a failure to write it, because there is nobody left to tell.
    private func report(
        _ failure: CommandFailure,
        during command: Command?,
        _ context: CommandContext
    ) {
        guard !failure.message.isEmpty else { return }
        let help = failure.isAboutUsage ? "; see " + HelpText.invocation(of: command) : ""
        try? context.note(failure.message + help)
    }
}
