import Foundation
import Glibc

/// A session bus that starts no services: a killed service stays away until the torture starts it.
final class SessionBus {
    let address: String
    private let program: TortureProgram
    private let configuration: String

    init(_ directory: String) {
        address = "unix:path=\(directory)/bus"
        configuration = directory + "/bus.conf"
        program = TortureProgram(log: directory + "/bus.log")
    }

    /// Starts the bus, and waits until it listens.
    ///
    /// - Returns: The failure; nil if there was none.
    func start() -> String? {
        let text = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <policy context="default">
                <allow own="*"/><allow send_destination="*"/><allow eavesdrop="false"/>
              </policy>
            </busconfig>
            """
        do { try text.write(toFile: configuration, atomically: false, encoding: .utf8) } catch {
            return "cannot write \(configuration): \(error)"
        }
        let words = ["/usr/bin/dbus-daemon", "--config-file=\(configuration)", "--nofork"]
        if let problem = program.start(words) { return problem }
        let path = String(address.dropFirst("unix:path=".count))
        let limit = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < limit {
            if access(path, F_OK) == 0 { return nil }
            guard program.isAlive else { return "the bus ended: \(program.lastWords)" }
            usleep(2000)
        }
        return "the bus did not listen in 20 s"
    }
}
