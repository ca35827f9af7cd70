import KeychainModel

/// The reason why a command failed.
///
/// No case carries a password, and no text repeats an argument that could be one.
package enum CommandFailure: Error, Equatable {
    /// The command line is wrong; the text says why. Exit status 2; the message names the help.
    case usage(String)
    /// The first word is not a command; `nearest` is a similar one. Exit status 1.
    case unknownCommand(String, nearest: String?)
    /// The keychain refused. Exit status: the low byte of the code.
    case keychain(KeychainError)
    /// The input of a command makes no sense, and nothing was done. Exit status 2.
    case input(String)
    /// The work is done, but the result is not as requested. Exit status 1.
    case unmet(String)
    /// Another program cannot run. Exit status 127 if it does not exist, otherwise 126.
    case program(String, isMissing: Bool)

    /// The keychain's error; any other failure becomes an internal error with its message.
    var refusal: KeychainError {
        if case .keychain(let error) = self { error } else { KeychainError(.internal, message) }
    }

    /// Runs work of the keychain and converts its error.
    static func wrapping<Value: ~Copyable>(
        _ body: @autoclosure () throws(KeychainError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
    }

    /// The exit status of the process; never 0.
    var exitStatus: Int32 {
        switch self {
        case .usage, .input: 2
        case .unknownCommand, .unmet: 1
        case .keychain(let error): Self.exitStatus(of: error.status)
        case .program(_, let isMissing): isMissing ? 127 : 126
        }
    }

    /// One line of text without the program's name.
    var message: String {
        switch self {
        case .usage(let reason), .input(let reason), .unmet(let reason), .program(let reason, _):
            reason
        case .unknownCommand(let word, nil): "unknown command '\(word)'"
        case .unknownCommand(let word, let nearest?):
            "unknown command '\(word)' (did you mean '\(nearest)'?)"
        case .keychain(let error): error.description
        }
    }

    /// Whether the command's help explains the failure.
    var isAboutUsage: Bool {
        switch self {
        case .usage, .unknownCommand: true
        case .input, .keychain, .unmet, .program: false
        }
    }

    /// Returns the low byte of a status, such as 44 for -25300; 1 if that byte is 0.
    private static func exitStatus(of status: SecurityStatus) -> Int32 {
        let lowByte = Int32(UInt8(truncatingIfNeeded: status.rawValue))
        return lowByte == 0 ? 1 : lowByte
    }
}
