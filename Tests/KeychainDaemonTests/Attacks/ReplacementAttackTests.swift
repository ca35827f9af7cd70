import Foundation
import Glibc
import TestSupport
import Testing

// Files that are, or seem to be, a permitted program or its rights.

extension `An attack on the system daemon` {
    @Suite struct `by a file in a permitted program's place` {
        private let stage: AttackStage

        init() throws { stage = try AttackStage.current() }

        @Test(
            .requirement("DMN-04"),
            arguments: [
                "cp /bin/true BIN/mailer", "mv BIN/mailer BIN/moved", "rm -f BIN/mailer",
                "mv BIN BIN.old", "ln -f /bin/true BIN/mailer", "chmod 777 BIN/mailer",
                "truncate -s 0 BIN/mailer", "touch BIN/x", "mount --bind /bin/true BIN/mailer",
                "cp /bin/true BIN/../policy/mine.json", "setcap cap_sys_ptrace+ep BIN/stranger",
            ]
        )
        func `cannot be made, and no directory above renamed`(command: String) throws {
            let line = command.replacing("BIN", with: "\(stage.folder)/bin")
            let process = try stage.shell(line)
            try process.end()
            #expect(process.status != 0)
            try stage.requirePeace()
        }

        @Test(.requirement("DMN-04"), arguments: ["mailer", "reader"])
        func `as a hard link gets nothing`(name: String) throws {
            let link = "\(stage.own)/linked-\(name)"
            // Root makes it, because the kernel may refuse it to the account.
            try prepare("ln -f \(stage.program(name)) \(link)")
            let group = name == "mailer" ? "mail" : "notes"
            let lines = try stage.play(link, "whoami find \(group) \(group)")
            #expect(lines.begin(with: "nobody", missingEntitlement))
        }

        @Test func `as a symbolic link starts the permitted program itself`() throws {
            let link = "\(stage.own)/symbolic"
            try prepare("ln -sf \(stage.program("mailer")) \(link)")
            #expect(try stage.play(link, "whoami") == ["verified mail"])
        }

        @Test(.requirement("DMN-04"))
        func `as a copy gets nothing, even with the bit that the account cannot give`() throws {
            let copy = "\(stage.own)/mailer"
            try prepare("rm -f \(copy)")
            try stage.shell("cp -p \(stage.program("mailer")) \(copy)").end()
            var facts = stat()
            #expect(stat(copy, &facts) == 0)
            #expect(facts.st_mode & 0o2000 == 0)
            #expect(try stage.play(copy, "find mail mail").begin(with: missingEntitlement))
            try prepare("chgrp keychain-client \(copy) && chmod 2755 \(copy)")
            let lines = try stage.play(copy, "whoami find mail mail")
            #expect(lines.begin(with: "nobody", missingEntitlement))
        }

        @Test(.requirement("DMN-04"))
        func `is no longer the permitted program once it was replaced while it ran`() throws {
            let path = stage.program("replaced")
            try prepare("cp \(stage.program("stranger")) \(path)")
            let words = [path, "say", "hear"] + (try stage.words("", "whoami").dropFirst())
            let process = try stage.launch(words)
            try process.line(with: "ready")
            try prepare("cp \(stage.program("stranger")) \(path).new && mv \(path).new \(path)")
            try process.tell()
            #expect(try process.end() == ["welcome", "nobody"])
        }

        @Test(.requirement("DMN-05"))
        func `as a script with a permitted program's name gets nothing`() throws {
            let folder = "\(stage.own)/scripts"
            let script = "\(folder)/mailer"
            try prepare("install -d -m 755 \(folder)")
            let text = "#!/bin/sh\nexec \(stage.program("stranger")) \"$@\"\n"
            try text.write(toFile: script, atomically: false, encoding: .utf8)
            chmod(script, 0o755)
            #expect(try stage.play(script, "find mail mail").begin(with: missingEntitlement))
        }

        @Test(.requirement("DMN-05"))
        func `as an interpreter, or a script that a policy permits, gets nothing`() throws {
            let steps = "whoami find mail mail"
            let interpreter = try stage.play("python3", steps)
            #expect(interpreter.begin(with: "nobody", missingEntitlement))
            // The script speaks itself: kind 4, the token, and the request for its own groups.
            let script = stage.program("script")
            let text = #"""
                #!/usr/bin/perl
                use Socket;
                socket(S, AF_UNIX, SOCK_STREAM, 0) or die;
                connect(S, sockaddr_un($ARGV[0])) or die;
                syswrite(S, pack("N C C a16 n C C", 21, 0, 1, "", 1, 0, 0));
                sysread(S, $welcome, 65536);
                syswrite(S, pack("N C C a16 C", 18, 0, 4, substr($welcome, 8, 16), 1));
                sysread(S, $caller, 65536);
                print "name\n" if index($caller, "/usr/bin/perl") >= 0;
                print "group\n" if $caller =~ /\0\0\0\x04mail/;
                print "end\n";

                """#
            try text.write(toFile: script, atomically: false, encoding: .utf8)
            chmod(script, 0o755)
            #expect(try stage.launch([script, try stage.daemon.socket]).end() == ["name", "end"])
        }

        @Test(.requirement("DMN-02"), arguments: ["", "/", "/keychain.db"])
        func `cannot read the files of its own keychain`(place: String) throws {
            let state = try stage.daemon.state
            #expect(access("\(state)/\(stage.account)/keychain.db", F_OK) == 0)
            let path = place.isEmpty ? state : "\(state)/\(stage.account)\(place)"
            let lines = try stage.shell("cat \(path)").end()
            #expect(lines.begin(with: "cat: \(path): Permission denied"))
        }

        @Test(
            .requirement("DMN-06"),
            arguments: ["chmod 666", "chown 70000000", "chgrp 1 FILE && chmod 664"]
        )
        func `as a policy that others can write gives nothing, and is named`(
            change: String
        ) throws {
            let path = "\(stage.own)/bin/stranger"
            let text = #"{"program": "\#(path)", "level": "nobody", "accessGroups": ["mail"]}"#
            let file = "\(stage.folder)/policy/mine.json"
            try stage.write(policy: "mine", text)
            defer {
                try? prepare("rm \(file)")
                try? stage.daemon.signal(SIGHUP)
            }
            try prepare("\(change.replacing("FILE", with: file)) \(file)")
            try stage.daemon.signal(SIGHUP)
            try stage.daemon.line(with: file)
            #expect(
                try stage.play(path, "whoami find mail mail").begin(
                    with: "nobody",
                    missingEntitlement
                )
            )
            try stage.requirePeace()
        }

        @Test(.requirement("DMN-04"), arguments: ["-Ur", "-Urm", "-Urpf"])
        func `in namespaces of its own gets nothing`(options: String) throws {
            let command = try stage.words(stage.program("mailer"), "whoami find mail mail")
            let lines = try stage.launch(["/usr/bin/unshare", options] + command).end()
            #expect(lines.begin(with: "welcome", "nobody", missingEntitlement))
        }

        @Test(.requirement("DMN-04"))
        func `mounted at its path in a namespace gets nothing`() throws {
            let mailer = stage.program("mailer")
            let command = try stage.words(mailer, "whoami find mail mail")
            let script = "mount --bind \(stage.own)/bin/stranger \(mailer) && exec \"$@\""
            let words = ["/usr/bin/unshare", "-Urm", "/bin/sh", "-c", script, "sh"] + command
            let lines = try stage.launch(words).end()
            #expect(lines.begin(with: "welcome", "nobody", missingEntitlement))
        }
    }
}
