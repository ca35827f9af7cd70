import Foundation
import Glibc
import TestSupport

/// A program that runs beside a test until the test ends it.
final class Service {
    private let process: TestProcess

    init(_ words: [String], _ environment: [String: String]) throws {
        process = try TestProgram(words, environment: environment).start()
    }

    var processID: pid_t { process.processID }

    /// What it writes first.
    func firstOutput() throws -> String { try process.hear(until: "\n") }

    /// Ends it, and waits until it has ended.
    func end() { _ = try? process.end(SIGTERM) }
}
