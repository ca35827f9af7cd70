import Testing

@testable import KeychainCommand

@Suite struct `Reading a command line` {
    private static func command(_ name: String) throws -> Command {
        try CommandTable.command(named: name)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let words: [String]
        let values: [CommandOption.Name: String]
        var operands: [String] = []
        var testDescription: String { words.joined(separator: " ") }
    }

    @Test(arguments: [
        Row(words: [], values: [:]),
        Row(words: ["-a", "alice", "-g"], values: [.account: "alice", .showPassword: ""]),
        Row(words: ["-aalice"], values: [.account: "alice"]),
        Row(words: ["-gw"], values: [.showPassword: "", .onlyPassword: ""]),
        Row(words: ["-gs", "mail"], values: [.showPassword: "", .service: "mail"]),
        Row(words: ["-a", "-g"], values: [.account: "-g"]),
        Row(words: ["-a", ""], values: [.account: ""]),
        Row(words: ["-a", "one", "-a", "two"], values: [.account: "two"]),
        Row(words: ["--access-group", "G", "--json"], values: [.accessGroup: "G", .json: ""]),
        Row(words: ["--access-group=a=b"], values: [.accessGroup: "a=b"]),
        Row(words: ["-12", "x", "-g"], values: [.showPassword: ""], operands: ["-12", "x"]),
        Row(
            words: ["-g", "--", "-a", "--x"],
            values: [.showPassword: ""],
            operands: ["-a", "--x"]
        ),
        Row(words: ["-"], values: [:], operands: ["-"]),
    ])
    func `follows getopt and adds long options`(row: Row) throws {
        let parser = ArgumentParser(try Self.command("find-generic-password"))
        let arguments = try parser.parse(row.words)
        #expect(arguments.values == row.values)
        #expect(arguments.operands == row.operands)
    }

    @Test(
        arguments: [
            (["-w"], nil), (["-w", "x"], "x"), (["-wx"], "x"), (["-w", "-U"], "-U"),
            (["-w", ""], ""),
        ] as [([String], String?)]
    )
    func `takes what follows -w of an add as its value`(words: [String], value: String?) throws {
        let parser = ArgumentParser(try Self.command("add-generic-password"))
        let arguments = try parser.parse(words)
        #expect(arguments.has(.password))
        #expect(arguments[.password] == value)
        #expect(!arguments.has(.update))
    }

    @Test(arguments: [
        ("--undo", "unknown option --undo"),
        ("--jsn", "unknown option --jsn (did you mean --json?)"),
    ])
    func `names an option that it does not know`(word: String, reason: String) throws {
        let parser = ArgumentParser(try Self.command("find-generic-password"))
        #expect(throws: CommandFailure.usage(reason)) { try parser.parse([word]) }
    }

    @Test(
        arguments: [
            (["-a"], "option -a needs a value: -a account"),
            (["--access-group"], "option --access-group needs a value: --access-group group"),
            (["--json=hunter2"], "--json takes no value: leave out = and what follows"),
            (["--hunter2"], "unknown option that begins with --"),
            (["-g", "-hunter2"], "unknown option -u"),
            (["-xhunter2"], "unknown option -x"),
        ]
    )
    func `refuses what it does not know without repeating it`(words: [String], reason: String)
        throws
    {
        let parser = ArgumentParser(try Self.command("find-generic-password"))
        #expect(throws: CommandFailure.usage(reason)) { try parser.parse(words) }
    }
}
