// ★ Table: the command for protected files.
extension CommandTable {
    static let files: [Command] = [
        Command(
            "file",
            "protect files, and read, edit and reclassify protected ones",
            options: OptionTable.file,
            operands: .several(FileCommand.synopsis),
            remarks: [
                "protect FILE …      replace a plain file by a protected one",
                "unprotect FILE …    replace a protected file by a plain one",
                "write FILE          write standard input to a protected file, in place of what",
                "                    is there",
                "cat FILE …          write the content to standard output",
                "edit FILE           edit the content, 16 MiB at most, with $VISUAL or $EDITOR;",
                "                    the copy for the editor is in memory (/dev/shm), and only",
                "                    if it succeeds the file changes",
                "check FILE …        read everything, to find damage",
                "class CLASS FILE …  change the class; a directory's counts for new files",
                "rewrap FILE …       use the newest keys, after a new passcode",
                "status FILE …       show class, access group, and what protects it",
                "remove FILE …       destroy the key, then delete the file",
                "",
                "A class is Complete (A), which locks with the keychain, CompleteUnlessOpen (B),",
                "CompleteUntilFirstUserAuthentication (C), the default, which opens also while the",
                "keychain is locked, or None (D). A directory with the class inherit has that of",
                "the directory above. With --recursive, class, rewrap, check and unprotect work on",
                "the protected files below a directory.",
                "",
                "After a failure, the other files get their turn. A crash leaves the old file or",
                "the new one. Old blocks may remain on the disk, and so do copies. On a terminal,",
                "cat shows characters that would act on it as \\u{…}.",
                "",
                "Protected files open with this keychain only, and keychainctl backup does not",
                "have their keys: to back them up, copy them and the keychain's directory.",
                "Documentation/Files.md says more, and what protection does not defend against.",
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
            "with protect and write: use this class [the replaced file's, or the directory's]"
        ),
        .init(
            .accessGroup,
            ["--access-group"],
            .required("group"),
            "with protect and write: use this access group"
        ),
        .init(
            .recursive,
            ["--recursive"],
            .none,
            "with class, rewrap, check and unprotect: the protected files below directories"
        ),
        .init(
            .allowEmpty,
            ["--allow-empty"],
            .none,
            "with write: empty an existing file if standard input is empty"
        ),
        .init(.json, ["--json"], .none, "with status: write JSON, a list with one object a file"),
    ]
}
