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
    /// The program gets the environment that this process was given, and the variables, but no
    /// right of this process. Signals are handled again as whoever called had it.
    ///
    /// - Throws: `CommandFailure.program`; otherwise it does not return.
    func execute() throws(CommandFailure) {
        signal(SIGPIPE, SIG_DFL)
        do throws(StartFailure) {
            try ProgramReplacement.become(program, arguments, adding: variables)
        } catch {
            throw .program(
                "\(program) cannot be run: \(error.reason)"
                    + (error.code == ENOENT ? origin : ""),
                isMissing: error.code == ENOENT
            )
        }
    }
}
