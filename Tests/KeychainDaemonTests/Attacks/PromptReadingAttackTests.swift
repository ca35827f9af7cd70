import Foundation
import Glibc
import TestSupport
import Testing

// Who can read what a person types, prompt by prompt: the table in SECURITY.md.

extension `An attack on the system daemon` {
    @Suite struct `by reading a prompt` {
        private let stage: LoadingStage

        init() throws { stage = try LoadingStage.current() }

        /// Whether a process may look at another one of its account that is no child of it.
        private static var mayTrace: Bool {
            let file = "/proc/sys/kernel/yama/ptrace_scope"
            let scope = try? String(contentsOfFile: file, encoding: .utf8)
            return scope.map { $0.hasPrefix("0") } ?? true
        }

        /// A dialog program of root's that notes what it is and what it gets, then waits for a file
        /// before it answers.
        private func plantDialog() throws {
            let note = stage.own + "/dialog"
            let script = """
                #!/bin/sh
                { echo "pid $$"; grep -E '^(Gid|Groups)' /proc/$$/status; ls /proc/$$/fd
                readlink /proc/$$/fd/* | grep -v pipe; env | sort; } >\(note).new
                mv \(note).new \(note)
                echo 'OK Pleased to meet you'
                while read -r line; do
                    echo "$line" >>\(note).lines
                    case $line in
                    GETPIN) while [ ! -e \(note).go ]; do sleep 0.1; done
                        printf 'D \(AttackStage.passcode)\\nOK\\n' ;;
                    *) echo OK ;;
                    esac
                done
                """
            let program = stage.program("dialog")
            try script.write(toFile: program, atomically: false, encoding: .utf8)
            try prepare("chown root:root \(program) && chmod 755 \(program)")
            try prepare("rm -f \(note) \(note).lines \(note).go")
            try stage.set("pinentry", to: program)
        }

        private func note(_ suffix: String = "") throws -> [String] {
            let file = stage.own + "/dialog" + suffix
            for _ in 0..<1_200 where access(file, F_OK) != 0 { usleep(50_000) }
            return try String(contentsOfFile: file, encoding: .utf8)
                .split(separator: "\n").map(String.init)
        }

        /// A keychain of the account with a passcode, and an item that needs it.
        private func keepSecret() throws {
            let command = stage.program("keychainctl")
            let line = """
                printf '%s\\n' \(AttackStage.passcode) >\(stage.own)/passcode
                \(command) -q passcode set <\(stage.own)/passcode
                \(command) -q unlock-keychain <\(stage.own)/passcode
                set -- --require devicePasscode
                \(command) -q add-generic-password -U -s gated -a a -w typed "$@"
                echo kept
                """
            let lines = try stage.shell(line).end()
            try #require(lines.last == "kept", "\(lines)")
        }

        private static func isShell(_ lines: [String]) -> Bool {
            lines.contains { $0.hasPrefix("start plain ") && $0.hasSuffix("sh") }
        }

        @Test func `finds no dialog that another account could replace`() throws {
            try plantDialog()
            defer { try? stage.set("pinentry", to: nil) }
            let program = stage.program("dialog")
            try prepare("chown \(stage.account) \(program)")
            let agent = try stage.start(["keychain-agent"], ["DISPLAY": ":77"])
            try agent.line(with: "root does not own \(program)")
            kill(agent.number, SIGKILL)
            try agent.end()
        }

        @Test func `SUCCEEDS at a terminal, and does not see the memory behind it`() throws {
            let command = stage.program("keychainctl")
            let reader = try Self.build("terminal-reader", reader, for: stage)
            let lines = try stage.shell(
                "exec \(reader) \(command) unlock-keychain"
            ).end()
            // The kernel refuses the memory; the terminal belongs to the account.
            #expect(lines.contains("closed"), "\(lines)")
            #expect(lines.contains("read what-is-typed"), "\(lines)")
        }

        @Test func `sees nothing of what a login hands over`() throws {
            let probe = stage.program("probe")
            let pam = stage.program("keychain-pam")
            // It waits for the password on its standard input.
            let login = try stage.shell("exec \(pam) unlock")
            for _ in 0..<200 where !Self.runs(login.number, pam) { usleep(20_000) }
            let ways = Set(try stage.shell("exec \(probe) \(login.number)").end())
            #expect(ways.subtracting(["exe"]) == ["end"], "\(ways)")
            try login.end(with: SIGKILL)
        }

        private static func runs(_ process: pid_t, _ program: String) -> Bool {
            let link = "/proc/\(process)/exe"
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == program
        }

        private static func build(
            _ name: String,
            _ source: String,
            for stage: LoadingStage
        ) throws -> String {
            let path = stage.program(name)
            try source.write(toFile: path + ".c", atomically: true, encoding: .utf8)
            try prepare("clang -w -O1 -o \(path) \(path).c")
            return path
        }

        /// Runs a program at a terminal of its own, stops it when it prompts, and reads the line
        /// that a person types then.
        private let reader = #"""
            #define _GNU_SOURCE
            #include <fcntl.h>
            #include <signal.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/ioctl.h>
            #include <sys/wait.h>
            #include <termios.h>
            #include <unistd.h>
            int main(int n, char **a) {
                char *name, said[8192] = "", line[256] = "", path[64]; size_t k = 0;
                int screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
                alarm(60);
                if (screen < 0 || grantpt(screen) || unlockpt(screen)) return 8;
                name = ptsname(screen);
                pid_t p = fork();
                if (!p) {
                    setsid();
                    int t = open(name, O_RDWR);
                    ioctl(t, TIOCSCTTY, 0);
                    dup2(t, 0); dup2(t, 1); dup2(t, 2);
                    execv(a[1], a + 1);
                    _exit(9);
                }
                while (!strstr(said, "asscode: ") && k < sizeof said - 1
                    && read(screen, said + k++, 1) == 1);
                if (!strstr(said, "asscode: ")) { printf("said %s\n", said); return 7; }
                snprintf(path, sizeof path, "/proc/%d/mem", p);
                puts(open(path, O_RDONLY) < 0 ? "closed" : "open");
                // The attacker: another process of the account opens the same terminal.
                kill(p, SIGSTOP);
                int t = open(name, O_RDONLY | O_NOCTTY);
                if (t < 0 || write(screen, "what-is-typed\n", 14) != 14) return 6;
                ssize_t count = read(t, line, sizeof line - 1);
                if (count > 0) printf("read %s", line);
                fflush(stdout);
                kill(p, SIGKILL);
                waitpid(p, 0, 0);
                return 0;
            }
            """#
    }
}
