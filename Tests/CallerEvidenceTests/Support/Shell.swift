import Foundation
import Testing

/// A command that ended, with what it wrote.
struct CommandResult {
    let status: Int32
    let output: String
}

/// Runs a command of the shell as this process's account, and waits.
@discardableResult
func shell(_ command: String) throws -> CommandResult {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return CommandResult(
        status: process.terminationStatus,
        output: String(decoding: output, as: UTF8.self)
    )
}

/// Runs a command that has to succeed.
func prepare(_ command: String) throws {
    let result = try shell(command)
    try #require(result.status == 0, "\(command): \(result.output)")
}
