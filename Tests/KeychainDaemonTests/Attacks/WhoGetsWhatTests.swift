import Foundation
import Glibc
import TestSupport
import Testing

// The tables of SECURITY.md, "Who gets what", row by row, by a program that is not ours.

extension `An attack on the system daemon` {
    @Suite struct `by a stranger of any level` {
        private let stage: AttackStage

        init() throws { stage = try AttackStage.current() }

        @Test func `is not needed by the programs that have the secrets`() throws {
            #expect(
                try stage.play("mailer", "whoami find mail mail") == [
                    "verified mail", "value secret-of-mail",
                ]
            )
            #expect(
                try stage.play("reader", "whoami find notes notes") == [
                    "observed notes", "value secret-of-notes",
                ]
            )
        }

        @Test(.requirement("DMN-07"), arguments: ["mail", "notes"])
        func `gets nothing of a program that is verified or observed, and the log says so`(
            group: String
        ) throws {
            let path = stage.program("stranger")
            let lines = try stage.play("stranger", "whoami find \(group) \(group)")
            #expect(lines.begin(with: "observed path:\(path)", missingEntitlement))
            let line = try #require(try stage.play("command", "log").first)
            #expect(line.hasSuffix(" \(path) 1 find genp \(group) -34018 no-right"))
        }

        @Test(.requirement("DMN-05"), arguments: ["mail", "notes"])
        func `gets nothing from the account's own directory`(group: String) throws {
            let path = "\(stage.own)/bin/stranger"
            let lines = try stage.play(path, "whoami find \(group) \(group) -add \(group) x y read")
            #expect(lines.begin(with: "nobody", missingEntitlement, missingEntitlement))
        }

        @Test(.requirement("DMN-06"))
        func `gets what the account as a whole may have, by asking, at level nobody`() throws {
            let nobody: UInt32 = 65_534
            let path = "\(stage.folder)/nobody/stranger"
            try prepare("install -D -m 755 \(stage.program("stranger")) \(path)")
            try prepare("chown -R \(nobody) \(stage.folder)/nobody")
            let added = try stage.play(path, "whoami add shared everybody x", as: nobody)
            #expect(added == ["nobody shared", "nothing"])
            let found = try stage.play("stranger", "find shared everybody", as: nobody)
            #expect(found == ["value x"])
        }

        @Test(.requirement("DMN-02"))
        func `gets nothing of another account, even by a permitted program`() throws {
            let lines = try stage.play("mailer", "whoami find mail mail", as: stage.other)
            #expect(lines.begin(with: "verified mail", "failed -25300"))
        }

        @Test(.requirement("DMN-04"))
        func `stays in its own groups in a sandbox, and can pretend to be in one`() throws {
            // The account sets up the sandbox, so this is a Flatpak as well as one can tell.
            let steps = "whoami add box box secret-of-box find mail mail find notes notes"
            let boxed = try stage.boxed(steps, as: "org.example.Box")
            #expect(
                boxed.begin(
                    with: "confined box",
                    "nothing",
                    missingEntitlement,
                    missingEntitlement
                )
            )
            let impostor = try stage.boxed("find box box", as: "org.example.Box")
            #expect(impostor == ["value secret-of-box"])
            let another = try stage.boxed("whoami find box box", as: "org.example.Other")
            #expect(
                another.begin(
                    with: "confined flatpak:org.example.Other",
                    missingEntitlement
                )
            )
            #expect(try stage.play("stranger", "find box box").begin(with: missingEntitlement))
        }

        @Test(.enabled(if: ControlGroups.isWritable, ControlGroups.reason))
        func `is verified as a system unit with an account of its own, and never as a person's`()
            throws
        {
            let steps = "whoami find mail mail"
            let unit = try stage.inUnit(steps, as: stage.service)
            #expect(unit.begin(with: "verified shop", missingEntitlement))
            let crontab = try stage.inUnit(steps, as: stage.account)
            let path = stage.program("stranger")
            #expect(crontab.begin(with: "observed path:\(path)", missingEntitlement))
        }
    }
}

/// The hierarchy of systemd's groups, where this machine has one to write to.
enum ControlGroups {
    static let hierarchy = ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup"].first {
        access("\($0)/cgroup.procs", W_OK) == 0
    }
    static var isWritable: Bool { hierarchy != nil }
    static let reason: Comment = "no hierarchy of control groups can be written here"
}

extension AttackStage {
    /// A stranger in a Flatpak that its account made up; what it writes after the welcome.
    func boxed(_ steps: String, as name: String) throws -> [String] {
        let root = "\(own)/root"
        try prepare("install -d -m 755 -o \(account) -g \(account) \(root)")
        let command = try words(program("stranger"), steps).joined(separator: " ")
        let places = ["lib", "lib64", "usr", "opt"]
        let mounts = places.map { "mount --rbind /\($0) \(root)/\($0)" }.joined(separator: " && ")
        let script = """
            mount -t tmpfs none \(root) \
            && mkdir \(places.map { "\(root)/\($0)" }.joined(separator: " ")) \
            && printf "[Application]\\nname=\(name)\\n" > \(root)/.flatpak-info \
            && \(mounts) && exec chroot \(root) \(command)
            """
        let process = try launch(["/usr/bin/unshare", "-Urm", "/bin/sh", "-c", script])
        try #require(try process.line() == "welcome")
        return try process.end()
    }

    /// A stranger in the control group of a system unit.
    fileprivate func inUnit(_ steps: String, as user: UInt32) throws -> [String] {
        let folder = "\(try #require(ControlGroups.hierarchy))/system.slice/\(unit)"
        try prepare("mkdir -p \(folder)")
        defer { _ = try? prepare("rmdir \(folder)") }
        let command = try words(program("stranger"), steps).joined(separator: " ")
        let identity = "setpriv --reuid \(user) --regid \(user) --clear-groups"
        let script = "echo $$ > \(folder)/cgroup.procs && exec \(identity) \(command)"
        let process = try launch(["/bin/sh", "-c", script], as: 0)
        try #require(try process.line() == "welcome")
        return try process.end()
    }
}
