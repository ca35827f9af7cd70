import Secrets

/// `~/.aws/credentials`: a section for each profile, which moves as a whole or not at all.
///
/// The keys become the variables that AWS's tools read, so that `keychainctl env aws:default -- aws
/// …` makes them available.
/// - Source: AWS CLI User Guide, Configuration and credential file settings; botocore,
///   `SharedCredentialProvider`, for the two names of a session token.
enum AWSCredentialsFile {
    private static let variables = [
        "aws_access_key_id": "AWS_ACCESS_KEY_ID",
        "aws_secret_access_key": "AWS_SECRET_ACCESS_KEY",
        "aws_session_token": "AWS_SESSION_TOKEN",
        "aws_security_token": "AWS_SESSION_TOKEN",
    ]

    static func findings(_ view: ByteView) -> PlaintextFindings {
        let file = ConfigurationFile(view)
        var findings = PlaintextFindings()
        findings.oddities = file.oddities
        for row in file.rows {
            guard let variable = variables[row.key] else {
                findings.noteSecret(row.value, row.line, view)
                continue
            }
            guard !row.value.isEmpty || row.isContinued else { continue }
            findings.entries.append(
                PlaintextEntry(
                    .service("aws:" + row.section, account: variable),
                    line: row.line,
                    removal: [row.whole],
                    secret: view.secret(row.value),
                    written: [WrittenSecret(row.value)],
                    record: row.section,
                    hindrance: hindrance(of: row, in: file)
                )
            )
        }
        return findings
    }

    private static func hindrance(
        of row: ConfigurationFile.Row,
        in file: ConfigurationFile
    ) -> String? {
        if row.isContinued { return "its value has several lines" }
        if row.section == ConfigurationFile.defaults { return "it is for every profile" }
        if row.section.hasPrefix("profile ") { return "its section is one of ~/.aws/config" }
        if file.isRepeated(row) { return "its profile has it twice, and botocore refuses the file" }
        // The malformed line may be the other half of the profile.
        return file.oddLines[row.section].map { "line \($0) of its profile makes no sense" }
    }
}
