import Glibc

/// Finds programs as a shell would.
enum ProgramSearch {
    /// The path of a program that can be run; a name with a slash is a path already.
    static func path(of name: String, in path: String?) -> String? {
        if name.contains("/") { return isExecutable(name) ? name : nil }
        let directories = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return directories.map { "\($0)/\(name)" }.first(where: isExecutable)
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}
