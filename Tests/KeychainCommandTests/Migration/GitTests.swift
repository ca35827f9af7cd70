import Foundation
import TestSupport
import Testing

/// A server of one repository, which asks for a password.
private struct GitServer {
    let port: Int
    private let process: TestProcess

    init(_ workshop: Workshop) throws {
        let folder = workshop.scratch.path + "/served"
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        let steps = [
            ["init", "-q", "work"],
            ["-C", "work"] + identity + ["commit", "-q", "--allow-empty", "-m", "first"],
            ["clone", "-q", "--bare", "work", folder + "/team.git"],
            ["-C", folder + "/team.git", "update-server-info"],
        ]
        for words in steps {
            let git = try workshop.run(["git"] + words, input: "")
            try #require(git.status == 0, "\(git.output)")
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/git-server.py")
        process = try workshop.start(["python3", script.path, folder])
        let line = try process.hear(until: "\n").dropLast()
        port = try #require(Int(line), "the server told no port")
    }

    func stop() { _ = try? process.end(SIGKILL) }
}

private let hasTools = Workshop.isInstalled("git") && Workshop.isInstalled("python3")

/// Tests that start many programs, one after the other.
@Suite(.serialized, .timeLimit(.minutes(10))) enum Programs {}

extension Programs {
    @Suite(
        .enabled(if: hasTools, "git and python3 are not both installed: git itself is not tried")
    )
    struct `git itself` {
        @Test(.requirement("AFL-05", "AFL-07"))
        func `clones with what was migrated, and stores and erases by the same rules`() throws {
            let workshop = try Workshop()
            let server = try GitServer(workshop)
            defer {
                server.stop()
                workshop.scratch.remove()
            }
            let place = "127.0.0.1:\(server.port)"
            let file = workshop.scratch.path + "/.git-credentials"
            try workshop.scratch.write("# mine\nhttp://alice:hunter2@\(place)\n", to: file)
            let helper = "!keychainctl git-credential"
            try workshop.run("git", "config", "--global", "credential.helper", helper)

            let url = "http://\(place)/team.git"
            #expect(try workshop.run("git", "clone", url, "early").status != 0)
            let migration = try workshop.run("keychainctl", "migrate", file)
            #expect(migration.status == 0, "\(migration.output)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "# mine\n")
            let clone = try workshop.run("git", "clone", url, "late")
            #expect(clone.status == 0, "\(clone.output)")

            // What worked was stored again, and is still one internet password with its attributes.
            let port = "\(server.port)"
            let words = ["-s", "127.0.0.1", "-a", "alice", "-r", "http", "-P", port, "-w"]
            let search = ["keychainctl", "find-internet-password"] + words
            #expect(try workshop.run(search, input: "").output == "hunter2\n")
            let dump = try workshop.run("keychainctl", "dump-keychain", "--json")
            #expect(dump.output.components(separatedBy: "\"class\": \"inet\"").count == 2)

            let known = "protocol=http\nhost=\(place)\nusername=alice\n"
            let rejected = known + "password=hunter2\n\n"
            #expect(try workshop.run("git", "credential", "reject", input: rejected).status == 0)
            #expect(try workshop.run("git", "clone", url, "without").status != 0)
            #expect(try workshop.run("git", "credential", "approve", input: rejected).status == 0)
            let fill = try workshop.run("git", "credential", "fill", input: known + "\n")
            #expect(fill.output.contains("password=hunter2\n"), "\(fill.output)")
            #expect(try workshop.run("git", "clone", url, "again").status == 0)
        }

        @Test(.requirement("AFL-07"))
        func `fills in what was approved until it is rejected`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            try workshop.run(
                "git",
                "config",
                "--global",
                "credential.helper",
                "!keychainctl git-credential"
            )
            let place = "protocol=https\nhost=git.example.org\n"
            func credential(_ verb: String, _ more: String) throws -> (
                status: Int32, output: String
            ) {
                try workshop.run("git", "credential", verb, input: place + more + "\n")
            }
            #expect(try credential("fill", "").status != 0)
            for (user, secret) in [("alice", "hunter2"), ("bob", "swordfish")] {
                let login = "username=\(user)\npassword=\(secret)\n"
                #expect(try credential("approve", login).status == 0)
            }
            let filled = try credential("fill", "username=bob\n")
            #expect(filled.status == 0)
            #expect(filled.output.contains("username=bob\npassword=swordfish\n"))
            let first = try credential("fill", "")
            #expect(first.output.contains("username=bob\npassword=swordfish\n"))
            #expect(try credential("approve", "username=bob\npassword=changed\n").status == 0)
            #expect(try credential("fill", "username=bob\n").output.contains("password=changed\n"))
            // Another password than the stored one is not what is to be forgotten.
            #expect(try credential("reject", "username=bob\npassword=swordfish\n").status == 0)
            #expect(try credential("fill", "username=bob\n").status == 0)
            #expect(try credential("reject", "username=bob\npassword=changed\n").status == 0)
            #expect(try credential("fill", "username=bob\n").status != 0)
            #expect(try credential("fill", "username=alice\n").status == 0)
        }

        @Test(.requirement("AFL-04"))
        func `is never given a generic password, nor another server's`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let generic = ["add-generic-password", "-s", "git.example.org", "-a", "alice"]
            let other = [
                "add-internet-password", "-s", "example.org", "-a", "alice", "-r", "htps",
            ]
            for words in [generic, other] {
                let add = try workshop.run(["keychainctl"] + words, input: "hunter2\n")
                #expect(add.status == 0, "\(add.output)")
            }
            let helper = "!keychainctl git-credential"
            try workshop.run("git", "config", "--global", "credential.helper", helper)
            let asked = "protocol=https\nhost=git.example.org\nusername=alice\n\n"
            let fill = try workshop.run("git", "credential", "fill", input: asked)
            #expect(fill.status != 0)
            #expect(!fill.output.contains("hunter2"))
        }
    }
}

extension Programs {
    @Suite struct `The program keychain-migrate` {
        @Test(arguments: [28, 20, 11, 3])
        func `may be killed at any moment`(remaining: Int) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let file = workshop.scratch.path + "/.git-credentials"
            let count = 30
            let lines = (0..<count).map { "https://user\($0):secret\($0)@h\($0).example.org\n" }
            try workshop.scratch.write(lines.joined(), to: file)
            let process = try workshop.start(["keychainctl", "migrate"])
            // Killed as soon as so few lines are left; it may have come further by then.
            while process.isRunning, try self.lines(file).count > remaining {}
            try process.end(SIGKILL)
            let left = try self.lines(file)
            #expect(left == lines.suffix(left.count).map { String($0.dropLast()) })
            let moved = try self.passwords(workshop)
            #expect(moved.isSuperset(of: (0..<count - left.count).map { "secret\($0)" }))

            let resumed = try workshop.run("keychainctl", "migrate")
            #expect(resumed.status == 0, "\(resumed.output)")
            #expect(try self.lines(file).isEmpty)
            #expect(try passwords(workshop) == Set((0..<count).map { "secret\($0)" }))
            let journal = workshop.scratch.path + "/keychain/migration.journal"
            #expect(!FileManager.default.fileExists(atPath: journal))
        }

        @Test func `gives a command its secrets`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let file = workshop.scratch.path + "/shop/.env"
            try workshop.scratch.write("DB_PASSWORD='hunter 2'\n", to: file)
            #expect(try workshop.run("keychainctl", "migrate", file).status == 0)
            let print = ["env", "shop", "--", "printenv", "DB_PASSWORD"]
            let told = try workshop.run(["keychainctl"] + print, input: "")
            #expect(told.output == "hunter 2\n")
            let ended = try workshop.run("keychainctl", "env", "shop", "--", "sh", "-c", "exit 7")
            #expect(ended.status == 7)
            let missing = try workshop.run("keychainctl", "env", "shop", "--", "no-such-program")
            #expect(missing.status == 127)
            #expect(!missing.output.contains("hunter"))
        }

        private func lines(_ file: String) throws -> [String] {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            return text.split(separator: "\n").map(String.init)
        }

        private func passwords(_ workshop: Workshop) throws -> Set<String> {
            let netrc = try workshop.run("keychainctl", "netrc").output
            return Set(
                netrc.split(separator: "\n").compactMap {
                    $0.split(separator: " ").last.map(String.init)
                }
            )
        }
    }
}
