// ★ Table: every option of the commands for other tools, simulated devices and help.
extension OptionTable {
    static let dockerCredential: [CommandOption] = [
        .init(.version, ["--version", "-v"], .none, "write the version")
    ]
    static let simulate: [CommandOption] = [
        .init(
            .both,
            ["--with-simulator", "--both"],
            .none,
            "run everything again as the iOS Simulator would"
        ),
        .init(
            .behavior,
            ["--behavior"],
            .required("name"),
            "follow documented (Apple's guides), appleSource, or both [the file's]"
        ),
        json,
        .init(.tap, ["--tap"], .none, "write TAP"),
        .init(.junit, ["--junit"], .required("file"), "write JUnit XML into this file"),
        .init(.html, ["--html"], .required("file"), "draw the time lines on this HTML page"),
        .init(
            .serve,
            ["--serve"],
            .required("name"),
            "keep a device of this name, or at the path of this socket"
        ),
        .init(
            .system,
            ["--system"],
            .required("system"),
            "with --serve: iOS, macOS, tvOS, watchOS or Catalyst N, or iOS Simulator [iOS 26]"
        ),
        .init(
            .biometry,
            ["--biometry"],
            .required("kind"),
            "with --serve: none, touchID or faceID [faceID]"
        ),
        .init(
            .askPasscode,
            ["--ask-passcode"],
            .none,
            "with --serve: read the passcode from input or a prompt [0000]"
        ),
        .init(.noPasscode, ["--no-passcode"], .none, "with --serve: set no passcode"),
    ]
    static let manual: [CommandOption] = [
        .init(.date, ["--date"], .required("date"), "date the pages, such as 2026-11-23 [no date]"),
        .init(
            .program,
            ["--program"],
            .required("name.section"),
            "write only the page of another program, whose --help is standard input"
        ),
    ]
    static let help: [CommandOption] = [
        .init(.markdown, ["--markdown"], .none, "write the list of commands as a Markdown table")
    ]
}
