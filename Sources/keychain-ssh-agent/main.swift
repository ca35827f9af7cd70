import Glibc
import KeychainHost
import Secrets

// keychain-ssh-agent: serves SSH clients with the keychain's SSH keys, and keys of ssh-add.

CoreDump.exclude()
RaisedGroup.keepFromFiles()
ProtectedCommand.yieldToChoice()
umask(0o077)
CompanionChip.register()
let words = Array(CommandLine.arguments.dropFirst())
do throws(AgentOptions.UsageError) {
    let options = try AgentOptions.parse(words, shell: ProcessEnvironment.current["SHELL"])
    exit(AgentProgram(options: options, signals: AgentSignals()).run())
} catch {
    AgentOutput.complain("\(error.reason); see \(AgentOutput.name) --help")
    exit(2)
}
