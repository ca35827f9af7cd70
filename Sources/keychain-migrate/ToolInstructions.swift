import PlaintextFormats

// ★ Table: instructions for each tool that read a file before its secrets moved.

/// Instructions for a tool that needs a secret after the move.
struct ToolInstructions: Sendable {
    /// Returns the instructions for a secret, with its item's service if it has one.
    typealias Recipe = @Sendable (PlaintextEntry, _ service: String) -> String

    /// The value of `--from`.
    let format: String
    /// Whether the tool needs the instructions for each run.
    ///
    /// Then only files that the user names move.
    let isOnlyForNamedFiles: Bool
    /// The tool that reads the file.
    let tool: String
    let recipe: Recipe

    private static let all: [ToolInstructions] = [
        ToolInstructions(format: "git-credentials", isOnlyForNamedFiles: false, tool: "git") {
            _,
            _ in
            "git finds them after: git config --global credential.helper"
                + " '!keychainctl git-credential'"
        },
        ToolInstructions(format: "docker", isOnlyForNamedFiles: false, tool: "docker") { _, _ in
            "docker runs docker-credential-keychain: create that link to keychainctl in PATH, and"
                + " set \"credsStore\": \"keychain\" in ~/.docker/config.json"
        },
        ToolInstructions(format: "env", isOnlyForNamedFiles: false, tool: "programs") {
            _,
            service in
            // A path names its project; any other word may be the short name of several projects.
            let exact = service.hasPrefix("/") ? "" : "--exact "
            return "commands get them from: keychainctl env \(exact)\(quoted(service)) -- COMMAND"
        },
        ToolInstructions(format: "aws", isOnlyForNamedFiles: false, tool: "aws") { _, service in
            let profile = String(service.dropFirst("aws:".count))
            let section = profile == "default" ? profile : "profile " + quoted(profile)
            return "AWS's tools find them after this line in ~/.aws/config, under [\(section)]:"
                + " credential_process = keychainctl aws-credentials \(quoted(profile))"
        },
        ToolInstructions(format: "cargo", isOnlyForNamedFiles: false, tool: "cargo", recipe: cargo),
        ToolInstructions(format: "netrc", isOnlyForNamedFiles: false, tool: "curl") { _, _ in
            "curl gets them from: curl --netrc-file <(keychainctl netrc HOST) …"
        },
        ToolInstructions(format: "npmrc", isOnlyForNamedFiles: true, tool: "npm", recipe: npm),
        ToolInstructions(format: "pypirc", isOnlyForNamedFiles: true, tool: "twine") { entry, _ in
            "twine gets it from: TWINE_PASSWORD=\"$(\(find(entry)))\" twine upload …"
        },
        ToolInstructions(format: "pgpass", isOnlyForNamedFiles: true, tool: "psql") { entry, _ in
            "psql gets it from: PGPASSWORD=\"$(\(find(entry)))\" psql …"
        },
    ]

    /// Returns the instructions for a format; nil if no tool reads it.
    static func of(_ format: PlaintextFormat) -> ToolInstructions? {
        all.first { $0.format == format.name }
    }

    /// The instructions for cargo, which runs any program for a token since version 1.74.
    private static let cargo: Recipe = { entry, service in
        guard case .service(_, let account) = entry.place else { return "" }
        let registry = String(service.dropFirst("cargo:".count))
        let section = registry == "crates-io" ? "registry" : "registries." + registry
        let words = ["-s", service, "-a", account, "-w"].map { "\"\($0)\"" }
        return "cargo finds it after this line in ~/.cargo/config.toml, under [\(section)]:"
            + " credential-provider = [\"cargo:token-from-stdout\", \"keychainctl\","
            + " \"find-generic-password\", \(words.joined(separator: ", "))]"
    }

    /// The instructions for npm, which decodes the Base64 of a password itself.
    private static let npm: Recipe = { entry, _ in
        guard case .server(let server) = entry.place else { return "" }
        let isPassword = !["_authToken", "_auth"].contains(server.account)
        // Omits the line feed that `find-internet-password` prints after the password.
        let encoded = "printf %s \"$(\(find(entry)))\" | base64 -w 0"
        let command = isPassword ? encoded : find(entry)
        return "npm gets it from: \(entry.variable ?? "NPM_TOKEN")=\"$(\(command))\" npm …"
    }

    /// Returns a shell command that prints a password.
    private static func find(_ entry: PlaintextEntry) -> String {
        guard case .server(let server) = entry.place else { return "" }
        var words = [
            "keychainctl", "find-internet-password", "-s", server.server, "-a", server.account,
        ]
        if let letters = server.protocolName { words += ["-r", letters] }
        if let port = server.port { words += ["-P", "\(port)"] }
        if !server.path.isEmpty { words += ["-p", server.path] }
        let command = (words + ["-w"]).map(quoted).joined(separator: " ")
        // The command prints a value other than printable ASCII in hexadecimal.
        let isPrinted = entry.secret.secret.withUnsafeBytes { bytes in
            bytes.allSatisfy { (0x20...0x7E).contains($0) }
        }
        return isPrinted ? command : command + " | perl -ne 'chomp; print pack \"H*\", $_'"
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                || "-_./:@".unicodeScalars.contains(scalar)
        }
        guard word.isEmpty || !isPlain else { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
