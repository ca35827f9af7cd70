import Glibc
import KeychainHost
import KeychainModel

extension Invocation {
    /// Runs this process's command line with its terminal and its keychain.
    ///
    /// A closed pipe becomes a failed write instead of a signal. The program has disabled core
    /// dumps before.
    ///
    /// - Returns: The exit status of the process.
    package static func runProcess() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        occupyStandardFiles()
        DaemonEndpoint.promptHere()
        let words = CommandLine.arguments
        let terminal = ProcessTerminal()
        guard !hasInexactWord(CommandLine.unsafeArgv, Int(CommandLine.argc)) else {
            let reason =
                "an argument is not UTF-8, and nothing was done: give a secret by a pipe, and a"
                + " file another name"
            try? Page(line: "\(programName): \(reason)").write(to: terminal, .diagnostics)
            return 2
        }
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

    /// Opens `/dev/null` in place of closed standard files.
    ///
    /// Otherwise the keychain's own files would get their numbers, and be read as input. Standard
    /// input is opened for writing only and the others for reading only, so that their use still
    /// fails.
    static func occupyStandardFiles() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // `open` returns the lowest free number, which is this one.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether an argument is not UTF-8.
    ///
    /// Swift would repair it, and it would become another secret.
    static func hasInexactWord(
        _ words: UnsafePointer<UnsafeMutablePointer<CChar>?>,
        _ count: Int
    ) -> Bool {
        (0..<count).contains { index in
            words[index].map { String(validatingCString: $0) == nil } ?? false
        }
    }
}
