import Foundation
import TestSupport
import Testing

/// A command that ended, with what it wrote.
struct CommandResult {
    let status: Int32
    let output: String
}

/// Runs a command of the shell as this process's account, and waits.
@discardableResult
func shell(_ command: String) throws -> CommandResult {
    let result = try runProgram(["/bin/sh", "-c", command])
    return CommandResult(status: result.status, output: result.output)
}

/// Runs a command that has to succeed.
func prepare(_ command: String) throws {
    let result = try shell(command)
    try #require(result.status == 0, "\(command): \(result.output)")
}
