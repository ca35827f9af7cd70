// ★ Table: files with secrets that stay with the programs that read them.

/// A well-known file that the command reports but does not change.
struct UnhandledStore: Sendable {
    /// The path, relative to the home directory.
    let path: String
    /// The reason why the file stays.
    let reason: String

    static let all: [UnhandledStore] = [
        .init(
            path: ".config/gh/hosts.yml",
            reason: "gh reads its token only there or in the Secret Service"
        ),
        .init(
            path: ".kube/config",
            reason: "kubectl reads keys and tokens there; an exec plugin can replace them"
        ),
        .init(
            path: ".config/gcloud/credentials.db",
            reason: "gcloud renews its tokens there by itself"
        ),
        .init(
            path: ".config/gcloud/application_default_credentials.json",
            reason: "Google's libraries read it only there"
        ),
        .init(
            path: ".cargo/credentials",
            reason: "it is the old name of credentials.toml; rename it to move its tokens"
        ),
        .init(
            path: ".my.cnf",
            reason: "mysql reads its password only there"
        ),
    ]
}
