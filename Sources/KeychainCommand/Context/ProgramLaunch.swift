import Glibc
import KeychainHost
import ProgramStart
import Secrets

/// A program that is to run in place of this one.
package struct ProgramLaunch: Sendable {
    /// Turns the process into the program; comes back only with an error.
    package typealias Execute = (ProgramLaunch) throws(CommandFailure) -> Void

    /// A path, or a name that is looked for in `PATH`.
    package let program: String
    /// Without the program's own name.
    package let arguments: [String]
    /// What is added to the environment, in order; the bytes hold no NUL.
    package let variables: [(name: String, value: SharedSecret)]
    /// What to say of the program where there is none.
    private let origin: String

    /// A program that a person named.
    init(
        program: String,
        arguments: [String],
        variables: [(name: String, value: SharedSecret)]
    ) {
        self.program = program
        self.arguments = arguments
        self.variables = variables
        origin = ""
    }

    /// A program of this package: beside the executable, else in `PATH`.
    init(companion name: String, arguments: [String]) {
        let beside = ProcessEnvironment.current.executableDirectory + "/" + name
        program = access(beside, X_OK) == 0 ? beside : name
        self.arguments = arguments
        variables = []
        origin = "; install it beside keychainctl, or in a directory of PATH"
    }

    /// Replaces this process.
    ///
    /// The program gets the environment that this process was given, and the variables. Secrets are
    /// copied into the environment only here, where nothing can follow but the other
    /// program or the end of this one. Signals are handled again as whoever called had it.
    ///
    /// - Throws: `CommandFailure.program`; otherwise it does not return.
    func execute() throws(CommandFailure) {
        guard RaisedGroup.drop() else {
            let reason = "keychainctl cannot give up the group of protected programs"
            throw .program("\(program) is not run: \(reason)", isMissing: false)
        }
        UninheritedVariables.restore()
        for (name, value) in variables {
            let text = Secret(concatenating: value.secret, Secret(copying: [0]))
            text.withUnsafeBytes { bytes in
                guard let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress else {
                    return
                }
                setenv(name, start, 1)
            }
        }
        signal(SIGPIPE, SIG_DFL)
        var vector = ([program] + arguments).map { strdup($0) } + [nil]
        execvp(program, &vector)
        let code = errno
        vector.forEach { free($0) }
        throw .program(
            "\(program) cannot be run: \(String(cString: strerror(code)))"
                + (code == ENOENT ? origin : ""),
            isMissing: code == ENOENT
        )
    }
}
