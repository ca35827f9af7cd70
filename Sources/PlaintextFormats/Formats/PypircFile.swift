import Secrets

/// `~/.pypirc`: a section for each repository.
///
/// - Source: Python Packaging User Guide, The .pypirc file.
enum PypircFile {
    /// Where repositories lie that name no URL.
    private static let repositories = [
        "pypi": "https://upload.pypi.org/legacy/", "testpypi": "https://test.pypi.org/legacy/",
    ]

    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        let document = try INIDocument(view, separators: ["=", ":"])
        var settings: [String: [String: String]] = [:]
        for row in document.rows where row.key != "password" {
            settings[row.section, default: [:]][row.key.lowercased()] = try view.text(row.value)
        }
        return document.rows.compactMap { row in
            guard row.key.lowercased() == "password", !row.value.isEmpty else { return nil }
            let section = settings[row.section] ?? [:]
            let repository = section["repository"] ?? repositories[row.section.lowercased()]
            let url = repository.flatMap(LocatorURL.init)
            let account = section["username"] ?? ""
            let place = ServerPlace(url, named: row.section, account: account)
            let isContinued = row.isContinued ? "its value has several lines" : nil
            return PlaintextEntry(
                .server(place),
                line: row.line,
                removal: [row.whole],
                secret: view.secret(row.value),
                written: WrittenSecret(row.value),
                hindrance: place.protocolName == nil ? "its repository has no URL" : isContinued
            )
        }
    }
}
