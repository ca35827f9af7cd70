import Glibc
import KeychainHost
import KeychainModel

extension Invocation {
    /// Runs this process's command line against its terminal and its keychain.
    ///
    /// Turns a closed pipe into a failed write. The program has made sure before that its memory
    /// cannot be dumped.
    ///
    /// - Returns: What the process is to exit with.
    package static func runProcess() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        DaemonEndpoint.promptHere()
        let words = CommandLine.arguments
        let terminal = ProcessTerminal()
        let invocation = Invocation(
            program: words.first ?? Self.programName,
            terminal: terminal,
            absentDirectory: { RequestRouter.absentDirectory(in: .current) },
            connect: { () throws(KeychainError) in
                try NewKeychainNotice.connect(.current, program: Self.programName, terminal) {
                    () throws(KeychainError) in try RequestRouter.endpoint()
                }
            }
        )
        return invocation.run(Array(words.dropFirst()))
    }
}
