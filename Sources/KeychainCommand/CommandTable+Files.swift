// ★ Table: the command for protected files.
extension CommandTable {
    static let files: [Command] = [
        Command(
            "file",
            "protect files, and read, edit and reclassify protected ones",
            options: OptionTable.file,
            operands: .any(FileCommand.synopsis),
            remarks: [
                "protect FILE …      replace a plain file by a protected one",
                "write FILE          write standard input to a protected file",
                "cat FILE …          write the content to standard output",
                "edit FILE           edit the content with $VISUAL or $EDITOR; the copy for the",
                "                    editor is in memory (/dev/shm), and only if it succeeds",
                "                    the file changes",
                "class CLASS FILE …  change the class; a directory's counts for new files",
                "rewrap FILE …       use the newest keys, after a new passcode",
                "status FILE …       show class, access group, and what protects it",
                "remove FILE …       destroy the key, then delete the file",
                "",
                "A class is Complete, CompleteUnlessOpen, CompleteUntilFirstUserAuthentication or",
                "None, or A to D. protect replaces the file in one step: a crash leaves the plain",
                "or the protected one. The old blocks may remain on the disk, and so do copies and",
                "backups. Documentation/Files.md says what protection does not defend against.",
            ],
            example: "keychainctl file protect --class Complete diary.txt",
            run: FileCommand.run
        )
    ]
}

extension OptionTable {
    static let file: [CommandOption] = [
        .init(
            .fileClass,
            ["--class"],
            .required("class"),
            "with protect and write: use this class [that of the directory]"
        ),
        .init(
            .accessGroup,
            ["--access-group"],
            .required("group"),
            "with protect and write: use this access group"
        ),
        .init(.json, ["--json"], .none, "with status: write JSON"),
    ]
}
