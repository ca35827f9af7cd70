import Secrets

/// `~/.pypirc`: a section for each repository.
///
/// - Source: Python Packaging User Guide, The .pypirc file; twine, `get_config`.
enum PypircFile {
    /// The addresses of repositories that name no URL.
    private static let repositories = [
        "pypi": "https://upload.pypi.org/legacy/", "testpypi": "https://test.pypi.org/legacy/",
    ]

    /// Sections whose options apply to every repository.
    private static let general = [ConfigurationFile.defaults, "server-login"]

    static func findings(_ view: ByteView) -> PlaintextFindings {
        let file = ConfigurationFile(view)
        var findings = PlaintextFindings()
        findings.oddities = file.oddities
        var settings: [String: [String: String]] = [:]
        for row in file.rows where row.key != "password" {
            findings.noteSecret(row.value, row.line, view)
            settings[row.section, default: [:]][row.key] = try? view.text(row.value)
        }
        let common = general.reversed().compactMap { settings[$0] }
            .reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
        for row in file.rows
        where row.key == "password" && (!row.value.isEmpty || row.isContinued) {
            let section = (settings[row.section] ?? [:]).merging(common) { own, _ in own }
            let repository = section["repository"] ?? repositories[row.section.lowercased()]
            let url = repository.flatMap(LocatorURL.init)
            let account = section["username"] ?? ""
            findings.entries.append(
                PlaintextEntry(
                    .server(ServerPlace(url, named: row.section, account: account)),
                    line: row.line,
                    removal: [row.whole],
                    secret: view.secret(row.value),
                    written: [WrittenSecret(row.value)],
                    hindrance: hindrance(of: row, url, in: file)
                )
            )
        }
        return findings
    }

    private static func hindrance(
        of row: ConfigurationFile.Row,
        _ url: LocatorURL?,
        in file: ConfigurationFile
    ) -> String? {
        if general.contains(row.section) { return "it is for every repository" }
        if url == nil { return "its repository has no URL" }
        if row.isContinued { return "its value has several lines" }
        return file.isRepeated(row) ? "its section has it twice, and twine refuses the file" : nil
    }
}
