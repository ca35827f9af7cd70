import Foundation
import Glibc
import TestSupport
import Testing

// The dialogs of Debian, with a display, settings and a bus of the account's.

extension `An attack on the system daemon` {
    @Suite(.enabled(if: PromptScreen.isPossible, PromptScreen.reason))
    struct `by what a dialog loads` {
        private let stage: LoadingStage
        private let screen: PromptScreen

        init() throws {
            stage = try LoadingStage.current()
            screen = try PromptScreen(stage)
            try stage.keepSecret()
        }

        private func dialog(_ name: String) -> String { "/usr/bin/pinentry-" + name }

        /// Settings of the account with which toolkits could load code.
        private func makeSettings() throws {
            let own = stage.own
            let lines = [
                ".gtkrc-2.0": "gtk-modules = \"\(own)/module.so\"\n",
                ".config/gtk-3.0/settings.ini": "[Settings]\ngtk-modules=\(own)/module.so\n",
                ".config/QtProject/qt.conf": "[Paths]\nPlugins=\(own)\n",
                "qt.conf": "[Paths]\nPlugins=\(own)\n",
                ".config/gtk-2.0/gtkrc": "gtk-modules = \"\(own)/module.so\"\n",
            ]
            for (name, text) in lines {
                let file = URL(filePath: own).appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                try text.write(to: file, atomically: false, encoding: .utf8)
            }
            let folders = ["platforms", "platformthemes", "styles", "modules"]
            for folder in folders {
                try prepare("mkdir -p \(own)/\(folder)")
                for name in ["libqxcb", "libqgtk3", "libmodule"] {
                    try prepare("cp \(stage.code) \(own)/\(folder)/\(name).so")
                }
            }
            try prepare("chown -R \(stage.account):\(stage.account) \(own)")
        }

        /// The variables of a hostile session, for an agent that shows a dialog on the display.
        private func variables(bus: String?) -> [String: String] {
            var found = stage.variables
            found["DISPLAY"] = screen.display
            found["GTK_MODULES"] = stage.own + "/module.so"
            found["QT_QPA_PLATFORM_PLUGIN_PATH"] = stage.own + "/platforms"
            found["QT_QPA_PLATFORMTHEME"] = "gtk3"
            found["GTK2_RC_FILES"] = stage.own + "/.gtkrc-2.0"
            for name in ["WAYLAND_DISPLAY", "LANG", "KEYCHAIN_PROMPT"] { found[name] = nil }
            if let bus { found["DBUS_SESSION_BUS_ADDRESS"] = bus }
            return found
        }

        /// The dialog while it is shown, after everything that every dialog has to keep to.
        private func look(at name: String) throws -> AccountProcess {
            let processes = try AccountProcess.all(of: stage.account)
            let group = stage.group
            let protected = Set(LoadingStage.protected.map(stage.program))
            for process in processes where process.groups.contains(group) {
                #expect(protected.contains(process.program))
                #expect(process.files.allSatisfy { !$0.hasPrefix(stage.own) })
            }
            let agent = try #require(
                processes.first { $0.program == stage.program("keychain-agent") }
            )
            let dialog = try #require(processes.first { $0.program == self.dialog(name) })
            #expect(dialog.groups == [stage.account])
            #expect(!dialog.sockets.isEmpty)
            // Neither the daemon's connection, nor any other socket of the agent.
            #expect(dialog.sockets.isDisjoint(with: agent.sockets))
            return dialog
        }

        /// Lets the agent show a dialog in a hostile session until it has the passcode.
        ///
        /// - Returns: The dialog, and what the tracer saw of the agent and all that came of it.
        private func show(
            _ name: String,
            _ variables: [String: String],
            _ person: AttackProcess
        ) throws -> (AccountProcess, [String]) {
            try stage.set("pinentry", to: dialog(name))
            defer { try? stage.set("pinentry", to: nil) }
            let (agent, tracer) = try stage.serve(
                ["keychain-agent"],
                variables,
                until: "connected to the daemon"
            )
            let asker = try stage.ask()
            try person.line(with: "shown")
            let dialog = try look(at: name)
            try person.say(name == "curses" ? "type" : "")
            if name != "curses" {
                try person.line(with: "typed")
                try person.say("")
            }
            #expect(try asker.end() == ["typed"])
            try agent.end(with: SIGKILL)
            let lines = try tracer.end()
            #expect(lines.contains("start plain \(self.dialog(name))"), "\(lines)")
            #expect(!lines.contains("start plain \(stage.own)/pinentry"), "\(lines)")
            #expect(stage.breaches(lines) == [], "\(lines)")
            return (dialog, lines)
        }

        @Test(.requirement("HRD-03"), arguments: ["gtk-2", "qt"])
        func `gets nothing into a dialog by files and variables`(name: String) throws {
            try makeSettings()
            let (dialog, _) = try show(name, variables(bus: nil), screen.person())
            #expect(dialog.files.filter { $0.hasPrefix(stage.own) } == [])
            #expect(screen.note == [])
        }

        @Test(.requirement("HRD-03"))
        func `gets nothing into a dialog on a terminal by files and variables`() throws {
            try makeSettings()
            let (terminal, name) = try screen.terminal()
            var variables = variables(bus: nil)
            variables["GPG_TTY"] = name
            variables["TERMINFO"] = stage.own
            let (dialog, _) = try show("curses", variables, terminal)
            #expect(dialog.files.filter { $0.hasPrefix(stage.own) } == [])
            try terminal.end()
        }

        /// What the display names is loaded: into a process that has no right.
        @Test(.requirement("HRD-03"))
        func `gets a module that the display names into a dialog without rights`() throws {
            let settings = try screen.nameModule()
            _ = try show("gtk-2", variables(bus: nil), screen.person())
            let own = "\(stage.account)"
            let groups = [own, own, own, own].joined(separator: "\t")
            let wanted = ["Gid:\t" + groups, "exe " + self.dialog("gtk-2")]
            #expect(screen.note == wanted + ["read " + PromptScreen.passcode])
            try settings.end(with: SIGKILL)
        }

        /// The dialog of a session whose agent has no terminal, as systemd starts it.
        @Test(.requirement("HRD-03"), arguments: [false, true])
        func `gets a service of the bus in the place of a dialog without rights`(
            isHostile: Bool
        ) throws {
            let services = isHostile ? try screen.makeService() : nil
            let (bus, address) = try screen.bus("", services: services)
            let (dialog, _) = try show("gnome3", variables(bus: address), screen.person())
            #expect(dialog.files.filter { $0.hasPrefix(stage.own) } == [])
            let groups = screen.note.filter { $0.hasPrefix("Gid") }
                .map { Set($0.split(separator: "\t").dropFirst()) }
            #expect(groups.allSatisfy { $0 == ["\(stage.account)"] })
            #expect(groups.isEmpty != isHostile)
            try bus.end(with: SIGTERM)
        }

        /// With the tools of ssh: the agent asks for a yes before it uses a key.
        @Test(.requirement("HRD-03"))
        func `gets nothing into the question of the agent of ssh`() throws {
            try makeSettings()
            try stage.set("pinentry", to: dialog("qt"))
            defer { try? stage.set("pinentry", to: nil) }
            let socket = stage.own + "/ssh-agent"
            let key = stage.own + "/key"
            try prepare("rm -f \(socket) \(key) \(key).pub \(key).sig")
            var variables = variables(bus: nil)
            variables["SSH_ASKPASS"] = nil
            let (agent, tracer) = try stage.serve(
                ["keychain-ssh-agent", "-D", "-a", socket],
                variables,
                until: "SSH_AUTH_SOCK"
            )
            let person = try screen.person()
            let signer = try stage.shell(
                """
                ssh-keygen -q -t ed25519 -N '' -f \(key)
                export SSH_AUTH_SOCK=\(socket)
                ssh-add -q -c \(key) && rm \(key)
                ssh-keygen -q -Y sign -n test -f \(key).pub \(stage.own)/qt.conf
                """
            )
            try person.line(with: "shown")
            let processes = try AccountProcess.all(of: stage.account)
            let dialog = try #require(processes.first { $0.program == self.dialog("qt") })
            #expect(dialog.groups == [stage.account])
            #expect(dialog.files.filter { $0.hasPrefix(stage.own) } == [])
            for process in processes where process.groups.contains(stage.group) {
                #expect(process.program == stage.program("keychain-ssh-agent"))
                #expect(dialog.sockets.isDisjoint(with: process.sockets))
            }
            try agent.end(with: SIGKILL)
            try person.end(with: SIGKILL)
            try signer.end()
            let lines = try tracer.end()
            #expect(lines.contains("start plain \(self.dialog("qt"))"), "\(lines)")
            #expect(stage.breaches(lines) == [], "\(lines)")
        }
    }
}
