import Glibc
import KeychainHost
import ProgramStart
import Secrets

/// A program that replaces this one.
package struct ProgramLaunch: Sendable {
    /// Replaces the process with the program; returns only by throwing.
    package typealias Execute = (ProgramLaunch) throws(CommandFailure) -> Void

    /// A path, or a name to find in `PATH`.
    package let program: String
    /// The arguments, without the program's own name.
    package let arguments: [String]
    /// Additions to the environment, in order.
    ///
    /// No value contains a NUL byte.
    package let variables: [(name: String, value: SharedSecret)]
    /// Advice for the error message if the program does not exist.
    private let origin: String

    /// Describes a program that the user named.
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

    /// Describes a program of this package: beside the executable, or else in `PATH`.
    init(companion name: String, arguments: [String]) {
        let beside = ProcessEnvironment.current.executableDirectory + "/" + name
        program = access(beside, X_OK) == 0 ? beside : name
        self.arguments = arguments
        variables = []
        origin = "; install it beside keychainctl, or in a directory of PATH"
    }

    /// Replaces this process.
    ///
    /// The program gets this process's environment with the variables added, and none of its
    /// privileges. It handles signals as this process's parent set them.
    ///
    /// - Throws: `CommandFailure.program`; it returns only by throwing.
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
