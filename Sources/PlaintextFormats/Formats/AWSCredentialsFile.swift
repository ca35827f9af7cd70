import Secrets

/// `~/.aws/credentials`: a section for each profile.
///
/// The three keys become the variables by which AWS's tools know them, so that
/// `keychainctl env aws:default -- aws …` brings them back.
/// - Source: AWS CLI User Guide, Configuration and credential file settings.
enum AWSCredentialsFile {
    private static let variables = [
        "aws_access_key_id": "AWS_ACCESS_KEY_ID",
        "aws_secret_access_key": "AWS_SECRET_ACCESS_KEY",
        "aws_session_token": "AWS_SESSION_TOKEN",
    ]

    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        let rows = try INIDocument(view).rows.filter { variables[$0.key.lowercased()] != nil }
        if let stray = rows.first(where: \.section.isEmpty) {
            throw PlaintextError(stray.line, "a key before the first profile")
        }
        return rows.filter { !$0.value.isEmpty }.map { row in
            PlaintextEntry(
                .service("aws:" + row.section, account: variables[row.key.lowercased()] ?? row.key),
                line: row.line,
                removal: [row.whole],
                secret: view.secret(row.value),
                written: WrittenSecret(row.value),
                hindrance: row.isContinued ? "its value has several lines" : nil
            )
        }
    }
}
