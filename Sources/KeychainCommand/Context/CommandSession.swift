/// How the commands of one process go: one alone, or several that standard input names.
struct CommandSession: Sendable {
    /// Whether notes and warnings are left out.
    var isQuiet = false
    /// Whether commands come from standard input, so that no other user sees their words.
    var isInteractive = false

    /// Refuses to become another program, which would end the session.
    static func refuse(_ launch: ProgramLaunch) throws(CommandFailure) {
        let name = launch.program.split(separator: "/").last.map(String.init) ?? ""
        throw .usage("with -i, no command runs another program such as \(name): run it alone")
    }
}
