import Foundation
import Glibc

/// A system bus of one test, and the programs on it; they end with the value.
package final class MessageBus {
    package let folder: String
    package let address: String
    private var processes: [Process] = []

    /// - Parameter name: What the folder's name starts with.
    /// - Throws: What keeps the bus from being started.
    package init(_ name: String) throws {
        folder = FileManager.default.temporaryDirectory.path + "/\(name)-" + UUID().uuidString
        address = "unix:path=\(folder)/bus"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Self.configuration(address)
            .write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
        _ = try start(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(folder)/bus.conf", "--nofork", "--print-address"]
        )
    }

    deinit {
        for process in processes.reversed() where process.isRunning {
            // Foundation's children can have SIGTERM blocked.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A program with pipes to and from it.
    package struct Running {
        package let process: Process
        package let input: FileHandle
        package let output: FileHandle

        /// What the program writes next, as much as there is.
        package func heard() -> String { String(decoding: output.availableData, as: UTF8.self) }
    }

    /// Starts a program on the bus and waits for its first line.
    package func start(
        _ path: String,
        _ arguments: [String] = [],
        _ environment: [String: String] = [:],
        heardOnStandardError: Bool = false
    ) throws -> Running {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": address]) { $1 }
        process.standardInput = input
        if heardOnStandardError {
            process.standardError = output
        } else {
            process.standardOutput = output
        }
        try process.run()
        processes.append(process)
        let running = Running(
            process: process,
            input: input.fileHandleForWriting,
            output: output.fileHandleForReading
        )
        _ = running.heard()
        return running
    }

    /// A program of this package, which is built beside the tests.
    package static func product(_ name: String) throws -> String {
        try BuiltPrograms.path(name)
    }

    private static func configuration(_ address: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>\(address)</listen>
          <policy context="default">
            <allow own="*"/>
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
          </policy>
        </busconfig>
        """
    }
}
