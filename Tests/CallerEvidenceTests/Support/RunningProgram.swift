import CallerEvidence
import Foundation
import Glibc
import KeychainSockets
import ProcessWitness
import Testing

/// A program that runs until this object ends.
final class RunningProgram {
    let processID: Int32
    let descriptor: Int32
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a command line as an account and waits until its program says that it runs.
    ///
    /// - Parameters:
    ///   - command: Words of the shell; the last program must write a byte when it runs.
    ///   - account: Its user and group.
    ///   - isNested: Whether the program is a child of what is started.
    /// - Throws: what keeps it from running.
    init(_ command: String, as account: UInt32? = nil, isNested: Bool = false) throws {
        process.executableURL = URL(filePath: "/bin/sh")
        let identity = account.map { "setpriv --reuid \($0) --regid \($0) --clear-groups " } ?? ""
        process.arguments = ["-c", "exec \(identity)\(command)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let said = try output.fileHandleForReading.read(upToCount: 1)
        try #require(said == Data("r".utf8), "\(command) did not run")
        processID =
            isNested ? try Self.child(of: process.processIdentifier) : process.processIdentifier
        descriptor = ProcessDescriptor.open(processID)?.release() ?? -1
        try #require(descriptor >= 0)
    }

    deinit {
        end()
        close(descriptor)
    }

    /// Ends the program and waits for it.
    func end() {
        kill(processID, SIGKILL)
        wait()
    }

    /// Waits until the program has ended.
    func wait() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Writes a byte to the program and waits for its next word.
    func proceed() throws {
        try input.fileHandleForWriting.write(contentsOf: Data("x".utf8))
        _ = try output.fileHandleForReading.read(upToCount: 1)
    }

    /// Takes evidence as the daemon does.
    func evidence(
        by source: any EvidenceSource,
        as account: UInt32
    ) throws -> Evidence {
        let peer = PeerIdentity(processID: processID, userID: account, groupID: account)
        return try source.evidence(of: peer, process: descriptor)
    }

    /// The youngest descendant.
    private static func child(of process: Int32) throws -> Int32 {
        var current = process
        while true {
            let text = try String(
                contentsOfFile: "/proc/\(current)/task/\(current)/children",
                encoding: .utf8
            )
            guard let next = text.split(separator: " ").first.flatMap({ Int32($0) }) else {
                return current
            }
            current = next
        }
    }
}
