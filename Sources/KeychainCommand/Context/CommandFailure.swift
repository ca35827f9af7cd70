import KeychainModel

/// Why a command did not do what was asked.
///
/// No case ever carries a password, and no text repeats an argument that could be one.
package enum CommandFailure: Error, Equatable {
    /// The command line is wrong; the text says why. Exit status 2; the message names the help.
    case usage(String)
    /// The first word is no command; `nearest` may be the one that was meant. Exit status 1.
    case unknownCommand(String, nearest: String?)
    /// The keychain refused. Exit status: the low byte of the code.
    case keychain(KeychainError)
    /// What a command was given to work on makes no sense, and nothing was done. Exit status 2.
    case input(String)
    /// The work is done, and not all is as it was to be. Exit status 1.
    case unmet(String)
    /// Another program cannot be run. Exit status 127 where there is none of that name, else 126.
    case program(String, isMissing: Bool)

    /// What the keychain said; for any other failure, its words as an internal error.
    var refusal: KeychainError {
        if case .keychain(let error) = self { error } else { KeychainError(.internal, message) }
    }

    /// Carries out what the keychain may refuse.
    static func wrapping<Value: ~Copyable>(
        _ body: @autoclosure () throws(KeychainError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(KeychainError) { return try body() } catch { throw .keychain(error) }
    }

    /// What the process ends with; never 0.
    var exitStatus: Int32 {
        switch self {
        case .usage, .input: 2
        case .unknownCommand, .unmet: 1
        case .keychain(let error): Self.exitStatus(of: error.status)
        case .program(_, let isMissing): isMissing ? 127 : 126
        }
    }

    /// One line without the program's name.
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

    /// Whether the help tells how to do better.
    var isAboutUsage: Bool {
        switch self {
        case .usage, .unknownCommand: true
        case .input, .keychain, .unmet, .program: false
        }
    }

    /// The low byte of a failure's code, such as 44 for -25300; 1 where that byte is 0.
    private static func exitStatus(of status: SecurityStatus) -> Int32 {
        let lowByte = Int32(UInt8(truncatingIfNeeded: status.rawValue))
        return lowByte == 0 ? 1 : lowByte
    }
}
