import Foundation
import Glibc

/// A system bus of one test, and the programs on it; they end with the value.
package final class MessageBus {
    package let folder: String
    package let address: String
    private var processes: [TestProcess] = []

    /// - Parameters:
    ///   - name: What the folder's name starts with.
    ///   - policy: More rules of the bus, as a configuration file has them.
    /// - Throws: What keeps the bus from being started.
    package init(_ name: String, policy: String = "") throws {
        folder = FileManager.default.temporaryDirectory.path + "/\(name)-" + UUID().uuidString
        address = "unix:path=\(folder)/bus"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Self.configuration(address, policy)
            .write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
        _ = try start(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(folder)/bus.conf", "--nofork", "--print-address"]
        )
    }

    deinit {
        while processes.popLast() != nil {}
        Litter.remove(folder)
    }

    /// Starts a program on the bus and waits for its first line.
    @discardableResult
    package func start(
        _ path: String,
        _ arguments: [String] = [],
        _ environment: [String: String] = [:],
        heardOnStandardError: Bool = false
    ) throws -> TestProcess {
        let variables = environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": address]) { $1 }
        let program = try TestProgram([path] + arguments, environment: variables)
        let process = try program.start(
            hears: [heardOnStandardError ? STDERR_FILENO : STDOUT_FILENO],
            hasInput: true
        )
        processes.append(process)
        try process.hear(until: "\n")
        return process
    }

    /// A program of this package, which is built beside the tests.
    package static func product(_ name: String) throws -> String {
        try BuiltPrograms.path(name)
    }

    private static func configuration(_ address: String, _ policy: String) -> String {
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
          \(policy)
        </busconfig>
        """
    }
}
