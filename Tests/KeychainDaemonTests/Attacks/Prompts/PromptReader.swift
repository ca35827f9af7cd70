import Foundation
import Glibc
import TestSupport
import Testing

/// An account that tries to read what a person types into a prompt of the same account.
///
/// Each way answers whether it got the text.
struct PromptReader {
    /// What is after the keys of a dialog on a display.
    enum Way: Equatable {
        case display
        case module
        case memory(ofAgent: Bool)
        case service
        /// A dialog that the variables of the agent name.
        case named
    }

    private static let typed = "what-is-typed"
    private let stage: LoadingStage

    init(_ stage: LoadingStage) throws {
        self.stage = stage
        try stage.compile("terminal", TerminalProgram.source)
    }

    private var terminal: String { stage.program("terminal") }

    // MARK: Terminals

    private func run(_ mode: String, _ command: String, _ variables: String = "") throws -> [String]
    {
        let process = try stage.shell("\(variables) exec \(terminal) \(mode) \(command)")
        if mode == "is" { try process.say(Self.typed) }
        return try process.end()
    }

    private func hasRead(_ lines: [String]) throws -> Bool {
        let isOver = lines.contains { $0.hasPrefix("failed") || $0 == "late" }
        try #require(!isOver && !lines.isEmpty, "\(lines)")
        return lines.contains("read " + Self.typed)
    }

    /// The protected command at a terminal, with the daemon of the machine.
    func terminal(_ mode: String) throws -> Bool {
        let command = stage.program("keychainctl") + " unlock-keychain"
        return try hasRead(run(mode, command))
    }

    /// The memory of the protected command, also while it asks because of an item.
    func memory() throws -> Bool {
        try stage.set("pinentry", to: "/usr/bin/pinentry-curses")
        defer { try? stage.set("pinentry", to: nil) }
        let command = stage.program("keychainctl")
        for line in ["unlock-keychain", "find-generic-password -s gated -w"] {
            let lines = try run("memory", "\(command) \(line)", "DISPLAY=:77")
            try #require(!lines.isEmpty)
            if lines != ["closed"] { return true }
        }
        return false
    }

    /// A copy of the command without protection, with a keychain in the account's directory.
    private func plain(_ socket: String = "") throws -> (command: String, variables: String) {
        let folder = stage.own + "/unprotected"
        let command = folder + "/keychainctl"
        try prepare("install -d -m 755 -o \(stage.account) \(folder)")
        try prepare("cp \(stage.program("keychainctl")) \(command) && chmod 755 \(command)")
        let home = "KEYCHAIN_HOME=\(stage.own)/plain-keychain XDG_RUNTIME_DIR=\(stage.own)"
        let variables = "KEYCHAIN_SOCKET=\(socket) KEYCHAIN_UNLOCK_TIME=1 \(home)"
        return (command, variables)
    }

    /// Makes sure that the keychain without protection has a passcode and an item that needs it.
    private func keepPlainSecret() throws {
        guard access(stage.own + "/plain-keychain/keybag", F_OK) != 0 else { return }
        let (command, variables) = try plain()
        let item = "-s gated -a a -w typed --require devicePasscode"
        let lines = try stage.shell(
            """
            set -e
            export \(variables)
            printf '%s\\n' \(Self.typed) >\(stage.own)/first
            \(command) -q passcode set <\(stage.own)/first
            \(command) -q unlock-keychain <\(stage.own)/first
            \(command) -q add-generic-password \(item)
            echo kept
            """
        ).end()
        try #require(lines.last == "kept", "\(lines)")
    }

    func plainTerminal(_ mode: String) throws -> Bool {
        try keepPlainSecret()
        let (command, variables) = try plain()
        return try hasRead(run(mode, command + " unlock-keychain", variables))
    }

    func plainMemory() throws -> Bool {
        try keepPlainSecret()
        let (command, variables) = try plain()
        let lines = try run("memory", command + " unlock-keychain", variables)
        try #require(!lines.isEmpty)
        return lines != ["closed"]
    }

    /// While a daemon of the account examines the command, the command is open to the account.
    func looked() throws -> Bool {
        try keepPlainSecret()
        let socket = stage.own + "/plain-socket"
        let (command, variables) = try plain(socket)
        let daemon = try stage.shell(
            "\(variables) exec \(stage.program("keychaind")) --user --foreground --socket \(socket)"
        )
        try daemon.line(with: " serves ")
        let lines = try run(
            "looked",
            command + " unlock-keychain",
            "DAEMON=\(daemon.number) \(variables)"
        )
        try daemon.end(with: SIGKILL)
        return try hasRead(lines)
    }

    // MARK: Dialogs

    /// Starts the agent, untraced, with root's choice of a dialog.
    private func agent(_ name: String, _ variables: String) throws -> AttackProcess {
        try stage.set("pinentry", to: "/usr/bin/pinentry-" + name)
        let program = stage.program("keychain-agent")
        let agent = try stage.shell("exec env -i \(variables) \(program)")
        try agent.line(with: "connected to the daemon")
        return agent
    }

    private func search(_ process: pid_t) throws -> Bool {
        let lines = try stage.shell("exec \(terminal) search \(process) \(PromptScreen.passcode)")
            .end()
        try #require(lines.count == 1, "\(lines)")
        return lines == ["read " + PromptScreen.passcode]
    }

    private func number(of program: String) throws -> pid_t {
        let all = try AccountProcess.all(of: stage.account)
        return try #require(all.first { $0.program == program }, "\(program)").number
    }

    /// Has a person type the passcode, and does something before Return.
    private func type(_ person: AttackProcess, beforeReturn: () throws -> Void) throws {
        try person.line(with: "shown")
        try person.say("")
        try person.line(with: "typed")
        try beforeReturn()
        try person.say("")
        try person.end()
    }

    /// A dialog of the agent on the display, into which a person types.
    func dialog(_ way: Way, by name: String = "gtk-2") throws -> Bool {
        let name = way == .service ? "gnome3" : name
        let screen = try PromptScreen(stage)
        defer { try? stage.set("pinentry", to: nil) }
        var variables = "DISPLAY=\(screen.display)"
        var others: [AttackProcess] = []
        if name == "gnome3" {
            let services = way == .service ? try screen.makeService() : nil
            let (bus, address) = try screen.bus(services: services)
            variables += " DBUS_SESSION_BUS_ADDRESS=\(address)"
            others.append(bus)
        }
        if way == .named {
            let script = "#!/bin/sh\necho named >>\(stage.own)/module\nexit 1\n"
            let program = stage.own + "/pinentry"
            try script.write(toFile: program, atomically: false, encoding: .utf8)
            variables += " KEYCHAIN_PINENTRY=\(program) PATH=\(stage.own):/usr/bin"
        }
        if way == .module { others.append(try screen.nameModule()) }
        let recorder = way == .display ? try screen.reader("record") : nil
        let agent = try agent(name, variables)
        let asker = try stage.ask()
        var hasRead = false
        try type(screen.person()) {
            guard case .memory(let ofAgent) = way else { return }
            let isService = name == "gnome3"
            let dialog = isService ? "/usr/libexec/gcr-prompter" : "/usr/bin/pinentry-" + name
            hasRead = try search(ofAgent ? agent.number : number(of: dialog))
        }
        try #require(try asker.end() == ["typed"])
        if let recorder { hasRead = try recorder.end() == ["read " + PromptScreen.passcode] }
        let words = "read " + PromptScreen.passcode
        switch way {
        case .module, .service: hasRead = screen.note.contains(words)
        case .named: hasRead = screen.note.contains("named")
        case .display, .memory: break
        }
        try agent.end(with: SIGKILL)
        for other in others { try other.end(with: SIGTERM) }
        return hasRead
    }

    /// GNOME's dialog under a compositor, with another program of the same display.
    func wayland(byMemory: Bool) throws -> Bool {
        let screen = try PromptScreen(stage)
        defer { try? stage.set("pinentry", to: nil) }
        let (compositor, variables) = try screen.compositor()
        let other = try stage.shell("\(variables) exec stdbuf -oL wev")
        try other.line(with: "keyboard] keymap")
        // While it has the keys, it hears them.
        try type(screen.person()) {}
        try other.line(with: "sym: Return")
        // The dialog's own words about the protocol say when it gets the keys.
        let (bus, address) = try screen.bus("\(variables) WAYLAND_DEBUG=1")
        let agent = try agent("gnome3", "\(variables) DBUS_SESSION_BUS_ADDRESS=\(address)")
        let asker = try stage.ask()
        while try !bus.line(with: ".enter(").contains("wl_keyboard") {}
        var hasRead = false
        try type(screen.person()) {
            if byMemory { hasRead = try search(number(of: "/usr/libexec/gcr-prompter")) }
        }
        try #require(try asker.end() == ["typed"])
        let heard = try other.end(with: SIGTERM)
        if !byMemory { hasRead = heard.contains { $0.contains("(pressed)") } }
        for process in [agent, bus, compositor] { try process.end(with: SIGKILL) }
        return hasRead
    }

    /// A dialog of the agent on a terminal.
    func curses(byMemory: Bool) throws -> Bool {
        let screen = try PromptScreen(stage)
        defer { try? stage.set("pinentry", to: nil) }
        let (terminal, name) = try screen.terminal()
        let agent = try agent("curses", "GPG_TTY=\(name) TERM=xterm")
        let asker = try stage.ask()
        try terminal.line(with: "shown")
        let dialog = try number(of: "/usr/bin/pinentry-curses")
        try terminal.say(byMemory ? "keys" : "steal \(dialog)")
        let words = "read " + PromptScreen.passcode
        let hasRead = try byMemory ? search(dialog) : terminal.line(with: "read ") == words
        try agent.end(with: SIGKILL)
        try terminal.end(with: SIGKILL)
        try asker.end()
        return hasRead
    }

    /// A dialog that the account names to a program without protection.
    func named(_ variable: String) throws -> Bool {
        try keepPlainSecret()
        let (command, variables) = try plain()
        let folder = stage.own + "/named"
        let script = """
            #!/bin/sh
            echo OK
            while read -r line; do
                case $line in
                GETPIN) echo asked >\(folder)/note; echo 'D \(Self.typed)'; echo OK ;;
                *) echo OK ;;
                esac
            done
            """
        try prepare("rm -rf \(folder) && install -d -m 755 -o \(stage.account) \(folder)")
        let program = folder + "/pinentry"
        try script.write(toFile: program, atomically: false, encoding: .utf8)
        try prepare("chmod 755 \(program)")
        let value = variable == "PATH" ? "\(folder):/usr/bin:/bin" : program
        let find = "-q find-generic-password -s gated -w"
        let setting = "\(variables) DISPLAY=:77 \(variable)=\(value)"
        let lines = try stage.shell("\(setting) \(command) \(find)").end()
        try #require(lines == ["typed"], "\(lines)")
        return access(folder + "/note", F_OK) == 0
    }

    // MARK: Others

    /// The program of a login, with half of a password in its memory.
    func login() throws -> Bool {
        let command = stage.program("keychainctl")
        try stage.shell("exec \(command) -q lock-keychain").end()
        let lines = try run("login", stage.program("keychain-pam") + " unlock")
        try #require(!lines.contains { $0.hasPrefix("failed") } && !lines.isEmpty, "\(lines)")
        return lines != ["closed"]
    }

    /// A window of any program, into which a person types.
    func imitation() throws -> Bool {
        let screen = try PromptScreen(stage)
        let window = try screen.reader("imitate")
        try type(screen.person()) {}
        return try window.end() == ["read " + PromptScreen.passcode]
    }
}
