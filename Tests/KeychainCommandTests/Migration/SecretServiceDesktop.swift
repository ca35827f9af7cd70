import Foundation
import SecretServiceClient
import TestSupport

/// A session bus of one test with gnome-keyring on it, unlocked; they end with the value.
///
/// The bus starts nothing by itself, so that no program is there but those of the test.
final class SecretServiceDesktop {
    let workshop: Workshop
    let address: String
    private var processes: [TestProcess] = []

    /// The programs that it takes: `gdbus` waits for the service.
    static let isInstalled = ["dbus-daemon", "gdbus", "gnome-keyring-daemon", "secret-tool"]
        .allSatisfy(Workshop.isInstalled)

    /// - Throws: What keeps the bus or the service from being started.
    init() throws {
        workshop = try Workshop()
        let folder = workshop.scratch.path
        address = "unix:path=\(folder)/bus"
        let owner = [FileAttributeKey.posixPermissions: 0o700]
        try FileManager.default.setAttributes(owner, ofItemAtPath: folder)
        try startBus(configuredIn: folder + "/bus.conf")
        try startKeyring()
    }

    deinit {
        while processes.popLast() != nil {}
        workshop.scratch.remove()
    }

    /// Runs a program of the session to its end; both output streams together.
    @discardableResult
    func run(_ words: [String], input: String = "") throws -> (status: Int32, output: String) {
        try workshop.run(inSession(words), input: input)
    }

    /// Connects to the service, as `keychainctl migrate` does.
    func service() throws -> any SecretService {
        try CompanionSecretService(
            workshop.products + "/" + CompanionSecretService.programName,
            environment: ["DBUS_SESSION_BUS_ADDRESS=\(address)"]
        )
    }

    /// Starts a program of the session.
    func start(_ words: [String]) throws -> TestProcess { try workshop.start(inSession(words)) }

    /// Ends the service, and has another one take its place, whose items are in another home.
    func replaceService(home: String) throws {
        guard let keyring = processes.popLast() else { return }
        try keyring.end(SIGKILL)
        try startKeyring(home: home)
    }

    /// Ends the service, and has the keychain's door take its place.
    func replaceServiceByDoor() throws {
        guard let keyring = processes.popLast() else { return }
        try keyring.end(SIGKILL)
        let process = try start(["keychain-secret-service", "--shared"])
        processes.append(process)
        // It prints the name when it serves.
        try process.hear(until: "\n")
    }

    private func startBus(configuredIn file: String) throws {
        try workshop.scratch.write(configuration, to: file)
        let words = ["dbus-daemon", "--config-file=\(file)", "--nofork", "--print-address"]
        let process = try workshop.start(words)
        processes.append(process)
        // The address is told when it is listened on.
        try process.hear(until: "\n")
    }

    private func startKeyring(home: String? = nil) throws {
        let words = ["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"]
        let place = home.map { ["HOME=\($0)"] } ?? []
        let process = try workshop.start(inSession(place + words), hasInput: true)
        processes.append(process)
        try process.write("of the keyring")
        process.closeInput()
        let name = "org.freedesktop.secrets"
        let wait = try run(["gdbus", "wait", "--session", "--timeout", "60", name])
        guard wait.status == 0 else { throw CocoaError(.executableLoad) }
    }

    private func inSession(_ words: [String]) -> [String] {
        ["DBUS_SESSION_BUS_ADDRESS=\(address)"] + words
    }

    private var configuration: String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
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
