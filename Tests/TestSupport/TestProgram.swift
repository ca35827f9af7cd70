import Foundation
import Glibc
import ProgramStart

/// A program that a test starts, in a session of its own and with a limit of time.
///
/// It inherits nothing but its standard streams. Whatever it leaves in its session's first group
/// ends with it.
package struct TestProgram: Sendable {
    /// A limit that only a program that hangs reaches, however busy the machine is.
    package static let patience = Duration.seconds(300)

    package var plan: ProgramPlan
    package var limit = TestProgram.patience

    /// - Parameters:
    ///   - words: An absolute path, or a name in `PATH`, then arguments.
    ///   - environment: All variables; nil for those of this process.
    ///   - directory: Where it works; nil for the directory of this process.
    /// - Throws: `ProgramFailure` if there is no such program.
    package init(
        _ words: [String],
        environment: [String: String]? = nil,
        directory: String? = nil
    ) throws {
        let search = ProcessInfo.processInfo.environment["PATH"]
        guard let name = words.first, let path = ProgramSearch.path(of: name, in: search) else {
            throw ProgramFailure(description: "there is no program \(words.first ?? "")")
        }
        plan = ProgramPlan(path, Array(words.dropFirst()))
        plan.environment =
            environment.map { $0.map { "\($0)=\($1)" } } ?? GivenEnvironment.remainder
        plan.directory = directory
        plan.group = .session
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - input: Standard input.
    ///   - joinsErrors: Whether standard error goes where standard output goes.
    /// - Returns: What it did.
    /// - Throws: `ProgramFailure` with all output if it does not end.
    package func run(
        input: some Sequence<UInt8> = [],
        joinsErrors: Bool = true
    ) throws -> ProgramResult {
        var plan = plan
        plan.joinsErrors = joinsErrors
        let limits = RunLimits(time: limit, byteCount: 64 << 20)
        let outcome = try plan.run(input: Array(input), within: limits)
        let result = ProgramResult(
            status: try status(of: outcome.end, outcome.output + outcome.errors),
            bytes: outcome.output,
            errorBytes: outcome.errors
        )
        return result
    }

    /// Runs the program with text as its input.
    package func run(input: String, joinsErrors: Bool = true) throws -> ProgramResult {
        try run(input: Array(input.utf8), joinsErrors: joinsErrors)
    }

    /// Starts the program, which ends with the value at the latest.
    ///
    /// - Parameters:
    ///   - hears: The standard streams that the test hears; others are `/dev/null`.
    ///   - hasInput: Whether the test writes to it.
    /// - Returns: The program.
    /// - Throws: `StartFailure`, or `ProgramFailure` if there is no pipe.
    package func start(
        hears: Set<Int32> = [STDOUT_FILENO],
        hasInput: Bool = false
    ) throws -> TestProcess {
        try TestProcess(self, hears: hears, hasInput: hasInput)
    }

    /// The exit status, or 128 and the signal, as a shell has it.
    func status(of end: ProgramEnd?, _ output: [UInt8]) throws -> Int32 {
        switch end {
        case .exited(let status): return status
        case .killed(let signal): return 128 + signal
        case .tooLong: throw failure("wrote too much", output)
        case .unknown: throw failure("has no status", output)
        case .late, nil: throw failure("did not end within \(limit)", output)
        }
    }

    func failure(_ words: String, _ output: [UInt8]) -> ProgramFailure {
        let command = ([plan.path] + plan.arguments).joined(separator: " ")
        let text = String(decoding: output.suffix(8_000), as: UTF8.self)
        return ProgramFailure(description: "\(command) \(words); it wrote: \(text)")
    }
}

/// What a program of a test did.
package struct ProgramResult: Sendable {
    /// The exit status; 128 and the signal if one ended it.
    package let status: Int32
    package let bytes: [UInt8]
    package let errorBytes: [UInt8]

    package var output: String { String(decoding: bytes, as: UTF8.self) }
    package var errors: String { String(decoding: errorBytes, as: UTF8.self) }
}

/// The reason why a program of a test failed, with what it wrote.
package struct ProgramFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Runs a program to its end, standard error among its output.
///
/// - Throws: `ProgramFailure` with all output if it does not end.
package func runProgram(
    _ words: [String],
    input: String = "",
    environment: [String: String]? = nil,
    directory: String? = nil
) throws -> ProgramResult {
    try TestProgram(words, environment: environment, directory: directory).run(input: input)
}
