import Foundation
import TestSupport
import Testing

/// A file that moves only if it is named, and how its tool gets the secret afterwards.
private struct Recipe: CustomTestStringConvertible {
    let tool: String
    let file: String
    let text: String
    /// The variable that the tool reads, and what it is to hold.
    let variable: String
    let value: String

    var testDescription: String { "\(tool): \(text.prefix(24))" }

    static let all = [
        Recipe(
            tool: "npm",
            file: ".npmrc",
            text: "//registry.npmjs.org/:_authToken=npm_1\n",
            variable: "NPM_TOKEN_REGISTRY_NPMJS_ORG",
            value: "npm_1"
        ),
        Recipe(
            tool: "npm",
            file: ".npmrc",
            text: "//r.example:4873/a/:_authToken='t 2'\n",
            variable: "NPM_TOKEN_R_EXAMPLE__3A4873__2FA",
            value: "t 2"
        ),
        Recipe(
            tool: "npm",
            file: ".npmrc",
            text: "//r.example/:username=it's ann\n//r.example/:_password=aHVudGVyMg==\n",
            variable: "NPM_PASSWORD_R_EXAMPLE",
            value: "aHVudGVyMg=="
        ),
        Recipe(
            tool: "twine",
            file: ".pypirc",
            text: "[pypi]\nusername = __token__\npassword = pypi-1\n",
            variable: "TWINE_PASSWORD",
            value: "pypi-1"
        ),
        Recipe(
            tool: "psql",
            file: ".pgpass",
            text: "db.example:5433:shop:ann's:pa\\:ss $x\n",
            variable: "PGPASSWORD",
            value: "pa:ss $x"
        ),
        Recipe(
            tool: "psql",
            file: ".pgpass",
            text: "db.example:1:d:ann:pä✓\t\n",
            variable: "PGPASSWORD",
            value: "pä✓\t"
        ),
        Recipe(
            tool: "psql",
            file: ".pgpass",
            text: "db.example:*:*:ann:pw\n",
            variable: "PGPASSWORD",
            value: "pw"
        ),
    ]
}

extension Programs {
    @Suite struct `What the command prints for a tool` {
        /// The words behind `TOOL gets it from:`, with arguments of the tool's own.
        private func line(for tool: String, in output: String) throws -> String {
            let mark = "keychainctl: \(tool) gets it from: "
            let lines = output.split(separator: "\n").map(String.init)
            let line = try #require(lines.first { $0.hasPrefix(mark) }, "\(output)")
            return String(line.dropFirst(mark.count)).replacing("…", with: "x")
        }

        @Test(.requirement("USE-07"), arguments: Recipe.all)
        fileprivate func `gives it the secret that was taken out of its file`(recipe: Recipe) throws
        {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let file = workshop.scratch.path + "/" + recipe.file
            try workshop.scratch.write(recipe.text, to: file)
            let migration = try workshop.run("keychainctl", "migrate", file)
            #expect(migration.status == 0, "\(migration.output)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) != recipe.text)

            // In place of the tool stands a program that prints what the tool would read.
            let tools = workshop.scratch.path + "/tools"
            let tool = "#!/bin/sh\nprintf %s \"$\(recipe.variable)\"\n"
            try workshop.scratch.write(tool, to: tools + "/" + recipe.tool)
            #expect(chmod(tools + "/" + recipe.tool, 0o700) == 0)
            let path = "PATH=\(tools):\(workshop.environment["PATH"] ?? "")"
            let words = try line(for: recipe.tool, in: migration.output)
            #expect(try workshop.run(path, "bash", "-c", words).output == recipe.value)

            let undo = try workshop.run("keychainctl", "migrate", "--undo", file)
            #expect(undo.status == 0, "\(undo.output)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) == recipe.text)
        }

        @Test(
            .requirement("USE-07"),
            arguments: ["shop/.env", "it's a shop/.env", "shop/.env.live"],
            [[], ["--service", "the depot"]]
        )
        func `names the very service for a command's environment`(
            name: String,
            options: [String]
        ) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let file = workshop.scratch.path + "/" + name
            try workshop.scratch.write("DB_PASSWORD='hunter 2'\n", to: file)
            let words = ["keychainctl", "migrate"] + options + [file]
            let migration = try workshop.run(words, input: "")
            #expect(migration.status == 0, "\(migration.output)")
            let mark = "keychainctl: commands get them from: "
            let lines = migration.output.split(separator: "\n").map(String.init)
            let line = try #require(lines.first { $0.hasPrefix(mark) }, "\(migration.output)")
            let command = String(line.dropFirst(mark.count))
                .replacing("COMMAND", with: "printenv DB_PASSWORD")
            #expect(try workshop.run("bash", "-c", command).output == "hunter 2\n", "\(command)")
        }

        /// Each tool asks for one of two passwords that one account has on one host.
        @Test(
            .requirement("USE-07"),
            arguments: [
                ("psql", ".pgpass", "h.example:1:d:ann:one\nh.example:2:d:ann:two\n"),
                ("psql", ".pgpass", "h.example:1:d:ann:one\nh.example:1:e:ann:two\n"),
                (
                    "npm", ".npmrc",
                    "//h.example/a/:_authToken=one\n//h.example/b/:_authToken=two\n"
                ),
            ]
        )
        func `gives it the secret of the very server that it asks for`(
            tool: String,
            name: String,
            text: String
        ) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let file = workshop.scratch.path + "/" + name
            try workshop.scratch.write(text, to: file)
            let migration = try workshop.run("keychainctl", "migrate", file)
            #expect(migration.status == 0, "\(migration.output)")
            let mark = "keychainctl: \(tool) gets it from: "
            let lines = migration.output.split(separator: "\n").filter { $0.hasPrefix(mark) }
            let secrets = try lines.map { line in
                let start = try #require(line.range(of: "\"$(")).upperBound
                let end = try #require(line.range(of: ")\"", options: .backwards)).lowerBound
                return try workshop.run("bash", "-c", String(line[start..<end])).output
            }
            #expect(secrets == ["one\n", "two\n"])
        }

        /// Files that are taken without being named: what their tools run, and what they get.
        @Test(
            .requirement("USE-07"),
            arguments: [
                (
                    ".netrc", "machine h.example login ann password pw\n",
                    "cat <(keychainctl netrc h.example)", "machine h.example login ann password pw"
                ),
                (
                    ".aws/credentials", "[default]\naws_secret_access_key = s/+=\n",
                    "keychainctl env aws:default -- printenv AWS_SECRET_ACCESS_KEY", "s/+="
                ),
                (
                    ".docker/config.json", "{\"auths\":{\"h.example\":{\"auth\":\"YW5uOnB3\"}}}",
                    "keychainctl docker-credential get <<< h.example", "\"Secret\":\"pw\""
                ),
                (
                    ".git-credentials", "https://ann:pw@h.example\n",
                    "printf 'protocol=https\nhost=h.example\n\n' | keychainctl git-credential get",
                    "password=pw"
                ),
            ]
        )
        func `works without it for files whose tools ask the keychain`(
            name: String,
            text: String,
            command: String,
            expected: String
        ) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let file = workshop.scratch.path + "/" + name
            try workshop.scratch.write(text, to: file)
            let migration = try workshop.run("keychainctl", "migrate")
            #expect(migration.status == 0, "\(migration.output)")
            #expect(try String(contentsOfFile: file, encoding: .utf8) != text)
            let answer = try workshop.run("bash", "-c", command)
            let told = answer.output.replacing(" \"", with: "\"")
            #expect(told.contains(expected), "\(answer.output)")
            #expect(try workshop.run("keychainctl", "migrate", "--undo").status == 0)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }

        @Test(.requirement("USE-07"))
        func `travels in a backup to another home, with what an undo needs`() throws {
            let old = try Workshop()
            let new = try Workshop()
            defer {
                old.scratch.remove()
                new.scratch.remove()
            }
            let text = "https://ann:hunter2@git.example\n"
            try old.scratch.write(text, to: old.scratch.path + "/.git-credentials")
            #expect(try old.run("keychainctl", "migrate").status == 0)
            let file = old.scratch.path + "/backup"
            let password = "tundra velvet orbit mango 7\n"
            let made = try old.run("keychainctl", "backup", file, input: password)
            #expect(made.status == 0, "\(made.output)")
            #expect(!made.output.contains("will not travel"))
            #expect(try new.run("keychainctl", "restore", file, input: password).status == 0)
            let find = ["keychainctl", "find-internet-password", "-a", "ann", "-w"]
            #expect(try new.run(find[0], find[1], find[2], find[3], find[4]).output == "hunter2\n")
            #expect(try new.run("keychainctl", "migrate", "--undo").status == 0)
            let path = new.scratch.path + "/.git-credentials"
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }

        @Test(.requirement("USE-09"))
        func `comes out of a dry run that makes neither keychain nor folder`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let text = "https://ann:hunter2@git.example\n"
            try workshop.scratch.write(text, to: workshop.scratch.path + "/.git-credentials")
            let plan = try workshop.run("keychainctl", "migrate", "--dry-run")
            #expect(plan.status == 0, "\(plan.output)")
            #expect(plan.output.contains("would move"))
            #expect(!plan.output.contains("hunter2"))
            #expect(try workshop.scratch.names == [".git-credentials"])
        }
    }
}
