// ★ Table: the commands that import secrets, and those that other tools run to get them.
extension CommandTable {
    /// The command that each other name of the program stands for.
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
                "Without files it searches the well-known ones in the home directory.",
                "It stores each secret and reads it back before it removes the original.",
                "If the keychain holds another value already, it reports that and moves nothing.",
                "It moves .npmrc, .pypirc and .pgpass only if you name them: their tools need",
                "a recipe, which the command prints. --undo writes secrets back where they were.",
                "Formats: env, netrc, git-credentials, docker, aws, cargo, pgpass, npmrc, pypirc,",
                "plist, container, bitwarden, csv, secret-service. With --keep-attributes, all",
                "items of secret-service move; keychain-secret-service finds them as before.",
            ],
            example: "keychainctl migrate --dry-run shop/.env"
        ),
        Command(
            "doors",
            "show who answers programs that ask by other protocols",
            companion: "keychain-doors",
            options: OptionTable.listing,
            remarks: [
                "It names who answers for the Secret Service, ssh's agent and PKCS#11, where",
                "programs ask, and what to do if that is not the keychain. It starts nobody.",
                "It exits with 0 whoever answers: read isKeychain of --json in a script.",
            ],
            example: "keychainctl doors --json"
        ),
        Command(
            "git-credential",
            "serve passwords to git",
            operands: .one("operation"),
            remarks: [
                "Git runs it with get, store or erase, and writes a description to its input.",
                "With a link git-credential-keychain in PATH, set credential.helper to keychain.",
            ],
            example: "git config --global credential.helper '!keychainctl git-credential'",
            run: GitCredential.run
        ),
        Command(
            "autofill",
            "find the account to fill into a web page",
            options: OptionTable.autoFill,
            operands: .one("URL"),
            remarks: [
                "It takes internet passwords only, for the page's scheme, port and host, or for",
                "another host of the same registered domain. Without a scheme it is https.",
                "If nothing fits, it says why and exits with 44. --json also has the items that",
                "do not fit, each with its reason. git-credential treats scheme and port alike.",
            ],
            example: "keychainctl autofill https://example.com/login --list",
            run: FillForm.run
        ),
        Command(
            "docker-credential",
            "serve passwords to docker",
            options: OptionTable.dockerCredential,
            operands: .optional(DockerCredential.synopsis),
            remarks: [
                "Docker runs docker-credential-keychain. Create that link to keychainctl in PATH,",
                "and set \"credsStore\": \"keychain\" in ~/.docker/config.json.",
            ],
            example: "keychainctl docker-credential list",
            run: DockerCredential.run
        ),
        Command(
            "aws-credentials",
            "serve a profile's keys to AWS's tools",
            options: OptionTable.awsCredentials,
            operands: .optional("profile"),
            remarks: [
                "AWS's tools run it. In ~/.aws/config, write under [default] or [profile name]:",
                "  credential_process = keychainctl aws-credentials name",
                "Without a profile it serves default. The items belong to the service aws:name.",
                "Their accounts are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and optionally",
                "AWS_SESSION_TOKEN and AWS_CREDENTIAL_EXPIRATION.",
            ],
            example: "keychainctl aws-credentials shop",
            run: AWSCredentials.run
        ),
        Command(
            "env",
            "run a command with secrets in its environment",
            options: OptionTable.env,
            operands: .commandLine(after: "service"),
            remarks: [
                "Each password of the service becomes a variable with the name of its account.",
                "For secrets that came from an .env file, give the path of the project's folder,",
                "or its name if no other project has that name.",
                "It refuses a variable that changes what programs run, such as PATH or LD_PRELOAD,",
                "unless you name it with --allow.",
                "Other programs of the same user can read the environment of a running command.",
            ],
            example: "keychainctl env ./shop -- ./deploy.sh",
            run: RunWithSecrets.run
        ),
        Command(
            "serve-credential",
            "serve a password to a systemd unit",
            options: OptionTable.serveCredential,
            remarks: [
                "A socket unit with Accept=yes runs it for each credential that a unit loads with",
                "LoadCredential=name:/run/keychain-credential.socket. Store its password with",
                "keychainctl add-generic-password -s shop.service -a name.",
                "If it cannot serve the password, systemd does not start the unit.",
            ],
            example: "keychainctl serve-credential",
            run: ServeCredential.run
        ),
        Command(
            "netrc",
            "write passwords of servers as a netrc file",
            operands: .optional("server"),
            remarks: [
                "It leaves out passwords for one port or path: the format knows only hosts.",
                "It names an item that it cannot open on standard error, writes all others, and",
                "exits with that item's status.",
            ],
            example: "curl --netrc-file <(keychainctl netrc example.org) https://example.org/",
            run: WriteNetrc.run
        ),
    ]
}
