// ★ Table: the commands that bring secrets in, and those that other tools call to get them.
extension CommandTable {
    /// What the program does when it is called by another name.
    static let programs = [
        "git-credential-keychain": "git-credential",
        "docker-credential-keychain": "docker-credential",
    ]

    static let tools: [Command] = [
        Command(
            "migrate",
            "move secrets out of plain text files",
            companion: "keychain-migrate",
            options: OptionTable.migrate,
            operands: .any("file"),
            remarks: [
                "Without files it looks into the well-known ones in the home directory.",
                "Each secret is stored, read back and compared before its original goes.",
                "What another value is stored for already stays where it is, and is reported.",
                ".npmrc, .pypirc and .pgpass move only if you name them: their tools need",
                "a recipe, which the command prints. --undo writes secrets back where they were.",
                "Formats: env, netrc, git-credentials, docker, aws, pgpass, npmrc, pypirc, plist,",
                "container, bitwarden, csv, secret-service.",
            ]
        ),
        Command(
            "git-credential",
            "answer git's questions for passwords",
            operands: .one("operation"),
            remarks: [
                "git asks after: git config --global credential.helper '!keychain git-credential'",
                "or, with a link git-credential-keychain in PATH, credential.helper keychain.",
                "The operations get, store and erase read git's description from standard input.",
            ],
            run: GitCredential.run
        ),
        Command(
            "docker-credential",
            "answer docker's questions for passwords",
            options: OptionTable.dockerCredential,
            operands: .optional(DockerCredential.synopsis),
            remarks: [
                "Docker runs docker-credential-keychain. Create that link to keychain in PATH,",
                "and set \"credsStore\": \"keychain\" in ~/.docker/config.json.",
            ],
            run: DockerCredential.run
        ),
        Command(
            "env",
            "run a command with secrets in its environment",
            options: OptionTable.env,
            operands: .commandLine(after: "service"),
            remarks: [
                "Each password of the service becomes a variable named after its account.",
                "For secrets out of an .env file, name the project's folder: its path, or its",
                "name if no other project has the name.",
                "A name that changes which programs or libraries run, such as PATH or LD_PRELOAD,",
                "is refused unless --allow names it.",
                "Programs of the same user can read the environment of a running command.",
            ],
            run: RunWithSecrets.run
        ),
        Command(
            "netrc",
            "write passwords of servers as a netrc file",
            operands: .optional("server"),
            remarks: [
                "For curl: curl --netrc-file <(keychain netrc example.org) https://example.org/",
                "What is for a port or path of its own is left out: the format knows hosts alone.",
                "An item that cannot be opened is named on standard error, and all others are",
                "written; the exit status is then that item's.",
            ],
            run: WriteNetrc.run
        ),
    ]
}
