import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import KeychainPrompts

/// Root's settings of one test, and a dialog program of root's.
private final class RootsPrograms {
    let path: String
    var dialog: String { path + "/dialog" }

    init(choosing choice: String? = nil) throws {
        var template = Array("/opt/keychain-dialog-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(path, 0o755)
        try write("dialog", "#!/bin/sh\nenv >\(path)/ran\necho OK\nexit 1\n", mode: 0o755)
        try write("pinentry", (choice ?? dialog) + "\n", mode: 0o644)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String, mode: mode_t) throws {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        chmod(path + "/" + name, mode)
    }

    /// The variables that the dialog was started with; nil if it was not.
    var ran: [String]? {
        let text = try? String(contentsOfFile: path + "/ran", encoding: .utf8)
        return text?.split(separator: "\n").map(String.init)
    }

    func settings(_ variables: [String: String], isProtected: Bool) throws -> PromptSettings {
        try PromptSettings(isProtected: isProtected, directory: path) { variables[$0] }
    }
}

private let isRoot = geteuid() == 0
private let account: uid_t = 61_234

@Suite(.enabled(if: isRoot, "it makes files of root's")) struct `The dialog of a protected program`
{
    @Test
    func `is root's choice, whatever the account's variables name`() throws {
        let root = try RootsPrograms()
        let hostile = try ScriptedProgram("exit")
        let folder = String(hostile.path.dropLast("/program".count))
        let variables = ["KEYCHAIN_PINENTRY": hostile.path, "PATH": folder, "DISPLAY": ":0"]
        let settings = try root.settings(variables, isProtected: true)
        #expect(settings.pinentry == root.dialog)
        #expect(!settings.namesPinentry)
        #expect(try root.settings(variables, isProtected: false).pinentry == hostile.path)
    }

    @Test(
        arguments: ["setting", "program", "link", "missing", "directory", "relative", "plain"]
    )
    func `is none if others could change it, or it is no program`(kind: String) throws {
        let root: RootsPrograms
        switch kind {
        case "missing": root = try RootsPrograms(choosing: "/nonexistent/pinentry")
        case "directory": root = try RootsPrograms(choosing: "/usr/bin")
        case "relative": root = try RootsPrograms(choosing: "pinentry")
        case "plain": root = try RootsPrograms(choosing: "/etc/passwd")
        case "link":
            root = try RootsPrograms()
            let script = try ScriptedProgram("exit")
            chown(script.path, account, account)
            symlink(script.path, root.path + "/link")
            try root.write("pinentry", root.path + "/link", mode: 0o644)
        default: root = try RootsPrograms()
        }
        if kind == "setting" { chmod(root.path + "/pinentry", 0o666) }
        if kind == "program" { chown(root.dialog, account, account) }
        let settings = try root.settings(["DISPLAY": ":0"], isProtected: true)
        #expect(settings.pinentry == nil)
        let session = SessionPrompter(variable: { _ in ":0" }, directory: root.path)
        #expect(session.dialog == nil)
        #expect(session.complaint != nil)
    }

    @Test(.requirement("HRD-03"), arguments: [true, false])
    func `is not started for what its terminal can ask`(isProtected: Bool) throws {
        let root = try RootsPrograms()
        let terminal = try PseudoTerminal()
        let variables = ["DISPLAY": ":0", "KEYCHAIN_PINENTRY": root.dialog]
        let prompter = MachinePrompter(
            program: "mailer",
            settings: try root.settings(variables, isProtected: isProtected),
            terminal: terminal.path
        )
        let (answer, screen) = terminal.session([("Passcode: ", "1234\n")]) {
            prompter.answer(Prompt(.passcode))
        }
        #expect(answer == .typed("1234"))
        #expect(screen.hasPrefix("mailer asks for the keychain's passcode."))
        #expect((root.ran == nil) == isProtected)
    }

    @Test(.requirement("HRD-03"), arguments: ["pinentry", "auto"])
    func `is left to the agent where there is no terminal`(mode: String) throws {
        let root = try RootsPrograms()
        let variables = ["DISPLAY": ":0", "KEYCHAIN_PROMPT": mode]
        let settings = try root.settings(variables, isProtected: true)
        let prompter = MachinePrompter(
            program: "mailer",
            settings: settings,
            terminal: "/nonexistent"
        )
        #expect(Answered(prompter.answer(Prompt(.passcode))) == .impossible)
        #expect(!prompter.hasDialog)
        #expect(root.ran == nil)
        #expect(settings.means(terminal: "/nonexistent") == .pinentry)
    }

    @Test(.requirement("HRD-03"))
    func `gets no variable for a question that it does not need`() throws {
        let root = try RootsPrograms()
        let variables = [
            "DISPLAY": ":0", "GTK_MODULES": "evil", "QT_PLUGIN_PATH": "/srv", "HOME": "/srv",
        ]
        let settings = try root.settings(variables, isProtected: true)
        let prompter = ConfirmationPrompter(
            program: "agent",
            settings,
            terminal: "/nonexistent"
        )
        #expect(!prompter.asks(["Allow it?"]))
        let ran = try #require(root.ran)
        #expect(ran.contains("DISPLAY=:0"))
        #expect(ran.contains("HOME=/nonexistent"))
        #expect(!ran.contains { $0.hasPrefix("GTK_MODULES") || $0.hasPrefix("QT_") })
    }

    @Test
    func `is that of the agent, and the program beside it reads fingers`() throws {
        let root = try RootsPrograms()
        let session = SessionPrompter(variable: { _ in ":0" }, directory: root.path)
        #expect(session.dialog == root.dialog)
        #expect(session.complaint == nil)
        let variables = ["KEYCHAIN_FINGERPRINT": root.dialog]
        #expect(throws: KeychainError.self) {
            try FingerprintReader.reader(
                root.settings(variables, isProtected: true),
                beside: "/nonexistent"
            )
        }
        let chosen = try FingerprintReader.reader(
            root.settings(variables, isProtected: false),
            beside: "/nonexistent"
        )
        #expect(chosen != nil)
    }

    @Test func `gets the session's bus, also where no variable names it`() throws {
        let root = try RootsPrograms()
        let named = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "DISPLAY": ":0"]
        let session = SessionPrompter(variable: { named[$0] }, directory: root.path)
        #expect(session.environment["DBUS_SESSION_BUS_ADDRESS"] == "unix:path=/x")
        try root.write("bus", "", mode: 0o600)
        let other = ["XDG_RUNTIME_DIR": root.path]
        let found = SessionPrompter(variable: { other[$0] }, directory: root.path)
        let address = found.environment["DBUS_SESSION_BUS_ADDRESS"]
        #expect(address == "unix:path=\(root.path)/bus")
    }
}
