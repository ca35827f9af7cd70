// ★ Table: the plain text formats, and the usual paths of their files.

/// A format of files that hold secrets as plain text.
package struct PlaintextFormat: Sendable {
    /// A short name, such as `netrc`.
    package let name: String
    /// The names of such files in any directory.
    package let fileNames: [String]
    /// The path at which tools look, relative to the home directory; nil for files in projects.
    package let customaryPath: String?
    /// Further paths relative to the home directory.
    ///
    /// The file's name there may belong to another format.
    package var furtherPaths: [String] = []
    /// Parses a file.
    let parse: @Sendable (ByteView) throws(PlaintextError) -> PlaintextFindings

    package static let all: [PlaintextFormat] = [
        .init(
            name: "env",
            fileNames: [".env"],
            customaryPath: nil,
            parse: EnvironmentFile.findings
        ),
        .init(
            name: "netrc",
            fileNames: [".netrc", "_netrc"],
            customaryPath: ".netrc",
            parse: NetrcFile.findings
        ),
        .init(
            name: "git-credentials",
            fileNames: [".git-credentials"],
            customaryPath: ".git-credentials",
            furtherPaths: [".config/git/credentials"],
            parse: GitCredentialsFile.findings
        ),
        .init(
            name: "docker",
            fileNames: ["config.json"],
            customaryPath: ".docker/config.json",
            parse: DockerConfigFile.findings
        ),
        .init(
            name: "aws",
            fileNames: ["credentials"],
            customaryPath: ".aws/credentials",
            parse: AWSCredentialsFile.findings
        ),
        .init(
            name: "pgpass",
            fileNames: [".pgpass", "pgpass.conf"],
            customaryPath: ".pgpass",
            parse: PgpassFile.findings
        ),
        .init(
            name: "npmrc",
            fileNames: [".npmrc"],
            customaryPath: ".npmrc",
            parse: NpmrcFile.findings
        ),
        .init(
            name: "pypirc",
            fileNames: [".pypirc"],
            customaryPath: ".pypirc",
            parse: PypircFile.findings
        ),
        .init(
            name: "bitwarden",
            fileNames: [],
            customaryPath: nil,
            parse: BitwardenExport.findings
        ),
        .init(
            name: "csv",
            fileNames: [],
            customaryPath: nil,
            parse: PasswordTable.findings
        ),
        .init(
            name: "cargo",
            fileNames: ["credentials.toml"],
            customaryPath: ".cargo/credentials.toml",
            parse: CargoCredentialsFile.findings
        ),
    ]

    /// Whether the format is JSON, in which lines have no meaning.
    package var isJSON: Bool { name == "docker" || name == "bitwarden" }

    /// Whether removing one entry never changes the relative position of another.
    package var hasIndependentEntries: Bool { name == "csv" }

    /// Returns the format with a name; nil if there is none.
    package static func named(_ name: String) -> PlaintextFormat? {
        all.first { $0.name == name }
    }

    /// Returns the format of a file at a path; nil if neither the path nor the name reveals it.
    package static func ofFile(at path: String) -> PlaintextFormat? {
        let byPath = all.first { format in
            format.furtherPaths.contains { path.hasSuffix("/" + $0) }
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return byPath ?? ofFile(named: name)
    }

    /// Returns the format of a file by its name without directories; nil if the name reveals none.
    ///
    /// `.env.production` and `production.env` are environment files, too. Other JSON and CSV files
    /// count as exports of password managers, and the parser refuses those that are not.
    package static func ofFile(named name: String) -> PlaintextFormat? {
        if let format = all.first(where: { $0.fileNames.contains(name) }) { return format }
        if name.hasPrefix(".env.") || name.hasSuffix(".env") { return named("env") }
        if name.hasSuffix(".csv") { return named("csv") }
        return name.hasSuffix(".json") ? named("bitwarden") : nil
    }
}
