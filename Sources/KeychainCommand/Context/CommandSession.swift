/// The settings of a process that runs one command, or several from standard input.
struct CommandSession: Sendable {
    /// Whether notes and warnings are suppressed.
    var isQuiet = false
    /// Whether commands come from standard input, so that other users cannot see their words.
    var isInteractive = false

    /// Refuses to replace the process, which would end the session.
    static func refuse(_ launch: ProgramLaunch) throws(CommandFailure) {
        let name = launch.program.split(separator: "/").last.map(String.init) ?? ""
        throw .usage("with -i, no command runs another program such as \(name): run it alone")
    }
}
