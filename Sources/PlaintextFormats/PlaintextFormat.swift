// ★ Table: the plain text formats, and where their files lie by custom.

/// A format of files that hold secrets as plain text.
package struct PlaintextFormat: Sendable {
    /// A short word for people, such as `netrc`.
    package let name: String
    /// How such a file is called, wherever it lies.
    package let fileNames: [String]
    /// Where tools look for it, from the home directory; empty for files that lie in projects.
    package let customaryPath: String?
    /// Further places from the home directory, where the name may belong to another format.
    package var furtherPaths: [String] = []
    /// Finds the secrets.
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

    /// Whether lines mean nothing to it.
    package var isJSON: Bool { name == "docker" || name == "bitwarden" }

    /// Whether the removal of one entry never changes where another one stands among its bytes.
    package var hasIndependentEntries: Bool { name == "csv" }

    /// The format of a name; nil for none.
    package static func named(_ name: String) -> PlaintextFormat? {
        all.first { $0.name == name }
    }

    /// The format of a file at a path; nil where neither the path nor the name tells one.
    package static func ofFile(at path: String) -> PlaintextFormat? {
        let byPath = all.first { format in
            format.furtherPaths.contains { path.hasSuffix("/" + $0) }
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return byPath ?? ofFile(named: name)
    }

    /// The format of a file by its name without directories; nil where the name tells none.
    ///
    /// `.env.production` and `production.env` are environment files, too; other JSON and CSV files
    /// are taken for exports of password managers, and refused by their content if they are none.
    package static func ofFile(named name: String) -> PlaintextFormat? {
        if let format = all.first(where: { $0.fileNames.contains(name) }) { return format }
        if name.hasPrefix(".env.") || name.hasSuffix(".env") { return named("env") }
        if name.hasSuffix(".csv") { return named("csv") }
        return name.hasSuffix(".json") ? named("bitwarden") : nil
    }
}
