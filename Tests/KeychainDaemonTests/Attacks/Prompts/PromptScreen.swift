import Foundation
import Glibc
import TestSupport
import Testing

/// A display of the account with a person who types, and programs that are after the keys.
///
/// It ends with the value.
final class PromptScreen {
    static let passcode = AttackStage.passcode
    static let reason: Comment = "Scripts/setup.sh installs the displays and the dialogs"
    /// The programs of Debian that it takes.
    static let isPossible = [
        "Xvfb", "pinentry-gtk-2", "pinentry-qt", "pinentry-gnome3", "pinentry-curses", "weston",
        "wev", "dbus-daemon",
    ].allSatisfy { access("/usr/bin/" + $0, X_OK) == 0 }

    private let stage: LoadingStage
    private let server: AttackProcess
    /// The display's name, such as `:1`.
    let display: String

    init(_ stage: LoadingStage) throws {
        self.stage = stage
        try stage.compile("screen", ScreenPrograms.screen, "-lX11 -lXtst")
        let module = ScreenPrograms.module(stage.own + "/module")
        try stage.compile("module.so", module, "-shared -fPIC -ldl")
        // What earlier attacks left could load the module, too.
        let names = ["module", ".config", ".gtkrc-2.0", "qt.conf", "platforms", "services"]
        for name in names { try prepare("rm -rf \(stage.own)/\(name)") }
        // The module is a file of the account's, in a directory of the account's.
        let file = stage.own + "/module.so"
        try prepare("cp \(stage.program("module.so")) \(file) && chown \(stage.account) \(file)")
        let options = "-displayfd 1 -screen 0 1024x768x24 -nolisten tcp"
        server = try stage.shell("exec Xvfb \(options) 2>/dev/null")
        display = ":" + (try #require(try server.line()))
    }

    deinit { _ = try? server.end(with: SIGTERM) }

    /// Starts the program `screen`.
    private func start(_ words: String) throws -> AttackProcess {
        try stage.shell("DISPLAY=\(display) exec \(stage.program("screen")) \(words)")
    }

    /// Starts another program of the display, and waits until it hears the keys.
    func reader(_ mode: String) throws -> AttackProcess {
        let reader = try start(mode)
        try reader.line(with: "hears")
        return reader
    }

    /// A person who types the passcode into the next window.
    func person() throws -> AttackProcess { try start("type \(Self.passcode)") }

    /// Names the account's module for Gtk to every program of the display.
    func nameModule() throws -> AttackProcess {
        try reader("settings \(stage.own)/module.so")
    }

    /// The lines of the module's note; none if it was not loaded.
    var note: [String] {
        let text = try? String(contentsOfFile: stage.own + "/module", encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// A session's bus, with the account's own services if there is a directory with them.
    ///
    /// - Returns: The bus and its address.
    func bus(_ variables: String = "", services: String? = nil) throws -> (AttackProcess, String) {
        let data = services ?? "/nonexistent"
        let words = "dbus-daemon --session --nofork --print-address=1"
        let bus = try stage.shell(
            "DISPLAY=\(display) \(variables) XDG_DATA_HOME=\(data) NO_AT_BRIDGE=1 exec \(words)"
        )
        return (bus, try bus.line(with: "unix:"))
    }

    /// A directory of the account's with a service that takes the place of GNOME's dialog.
    func makeService() throws -> String {
        let folder = stage.own + "/services"
        let prompter = folder + "/prompter"
        let script = """
            #!/bin/sh
            grep Gid /proc/self/status >>\(stage.own)/module
            GTK_MODULES=\(stage.own)/module.so exec /usr/libexec/gcr-prompter
            """
        let service = """
            [D-BUS Service]
            Name=org.gnome.keyring.SystemPrompter
            Exec=\(prompter)
            """
        try prepare("install -d -m 755 \(folder)/dbus-1/services")
        let file = folder + "/dbus-1/services/org.gnome.keyring.SystemPrompter.service"
        try service.write(toFile: file, atomically: false, encoding: .utf8)
        try script.write(toFile: prompter, atomically: false, encoding: .utf8)
        try prepare("chmod 755 \(prompter) && chown -R \(stage.account) \(folder)")
        return folder
    }

    /// A terminal with nothing but a dialog on it.
    ///
    /// - Returns: The terminal and its name.
    func terminal() throws -> (AttackProcess, String) {
        try stage.compile("terminal", TerminalProgram.source)
        let terminal = try stage.shell("exec \(stage.program("terminal")) screen \(Self.passcode)")
        return (terminal, try terminal.line(with: "/dev/pts/"))
    }

    /// A compositor of the account's in a window of the display.
    ///
    /// - Returns: The compositor, and the variables of its programs.
    func compositor() throws -> (AttackProcess, String) {
        let place = stage.own + "/compositor"
        try prepare("rm -rf \(place) && install -d -m 700 \(place)")
        let settings = """
            [shell]
            panel-position=none
            animation=none
            startup-animation=none
            """
        try settings.write(toFile: place + "/weston.ini", atomically: false, encoding: .utf8)
        try prepare("chown -R \(stage.account):\(stage.account) \(place)")
        let words = "weston --backend=x11-backend.so --use-pixman --idle-time=0 --socket=prompts"
        let compositor = try stage.shell(
            "DISPLAY=\(display) XDG_RUNTIME_DIR=\(place) exec \(words) -c \(place)/weston.ini"
        )
        try compositor.line(with: "weston-desktop-shell")
        return (compositor, "WAYLAND_DISPLAY=prompts XDG_RUNTIME_DIR=\(place) GDK_BACKEND=wayland")
    }
}
