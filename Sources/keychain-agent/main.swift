import Glibc
import KeychainPrompts
import Secrets

// keychain-agent: shows the prompts of a daemon in a session. It stores nothing. Typed text goes to
// the daemon and is wiped.

CoreDump.exclude()
RaisedGroup.keepFromFiles()
signal(SIGPIPE, SIG_IGN)

guard AgentSignals.handle() else { exit(1) }

let command: AgentOptions.Command
do throws(AgentOptions.UsageError) {
    command = try AgentOptions.parse(Array(CommandLine.arguments.dropFirst()))
} catch {
    AgentLog.write("\(error.reason); see keychain-agent --help")
    exit(2)
}
switch command {
case .help:
    print(AgentOptions.usage, terminator: "")
case .run(let socket):
    guard socket == nil || !AgentPlace.isBound else {
        AgentLog.write("a protected program takes no --socket; use \(AgentPlace.systemSocket)")
        exit(2)
    }
    let prompter = SessionPrompter(
        variable: AgentPlace.variable,
        chosen: AgentPlace.chosenDialog
    )
    if let complaint = prompter.complaint { AgentLog.write(complaint) }
    let loop = AgentLoop(socket: { AgentPlace.socket(socket) }, prompter: prompter)
    AgentLog.write("the daemon refuses: \(loop.run().reason)")
    exit(1)
}
