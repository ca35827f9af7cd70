/// Commands with one purpose, as the help lists them.
struct CommandGroup: Sendable {
    /// A few words, without a full stop.
    let title: String
    let commands: [Command]

    init(_ title: String, _ commands: [Command]) {
        self.title = title
        self.commands = commands
    }
}
