import CallerEvidence
import Foundation
import Glibc
import KeychainSockets
import ProcessWitness
import TestSupport
import Testing

/// A program that runs until this object ends.
final class RunningProgram {
    let processID: Int32
    let descriptor: Int32
    private let process: TestProcess

    /// Starts a command line as an account and waits until its program says that it runs.
    ///
    /// - Parameters:
    ///   - command: Words of the shell; the last program must write a byte when it runs.
    ///   - account: Its user and group.
    ///   - isNested: Whether the program is a child of what is started.
    /// - Throws: what keeps it from running.
    init(_ command: String, as account: UInt32? = nil, isNested: Bool = false) throws {
        let identity = account.map { "setpriv --reuid \($0) --regid \($0) --clear-groups " } ?? ""
        process = try TestProgram(["/bin/sh", "-c", "exec \(identity)\(command)"])
            .start(hasInput: true)
        try #require(try process.hear() == Array("r".utf8), "\(command) did not run")
        processID = isNested ? try Self.child(of: process.processID) : process.processID
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
        process.closeInput()
        _ = try? process.wait()
    }

    /// Writes a byte to the program and waits for its next word.
    func proceed() throws {
        try process.write("x")
        _ = try process.hear()
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
