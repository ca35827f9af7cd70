// ★ Table: files with secrets that stay with the programs that read them.

/// A well-known file that the command reports but does not change.
struct UnhandledStore: Sendable {
    /// From the home directory; a file that the user names is known by the same end of its path.
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
        .init(
            path: ".yarnrc.yml",
            reason: "yarn reads its token there; npmAuthToken: ${NAME} takes it from a variable"
        ),
        .init(
            path: ".gem/credentials",
            reason: "gem reads its key there, or from the variable GEM_HOST_API_KEY"
        ),
        .init(
            path: ".local/share/gem/credentials",
            reason: "gem reads its key there, or from the variable GEM_HOST_API_KEY"
        ),
        .init(
            path: ".config/containers/auth.json",
            reason: "podman reads it there; its credHelpers may name keychain instead"
        ),
        .init(
            path: ".config/composer/auth.json",
            reason: "composer reads its tokens there, or from the variable COMPOSER_AUTH"
        ),
    ]

    /// The one at a path, in whatever directory it begins; nil for none.
    static func at(_ path: String) -> UnhandledStore? {
        all.first { path.hasSuffix("/" + $0.path) }
    }
}
