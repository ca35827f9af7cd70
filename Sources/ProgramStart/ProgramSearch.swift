import Glibc

/// Finds programs as a shell would, in absolute directories.
package enum ProgramSearch {
    /// The directories that are searched if no list is given.
    package static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// Finds a program that can be run.
    ///
    /// - Parameters:
    ///   - name: A name, or a path if it contains a slash.
    ///   - path: Directories with colons between; nil for the standard ones. Relative ones are
    ///     skipped, because another program may have chosen the working directory.
    /// - Returns: Its absolute path; nil if there is none.
    package static func path(of name: String, in path: String?) -> String? {
        if name.contains("/") { return absolute(name).flatMap { isExecutable($0) ? $0 : nil } }
        return (path ?? standardPath).split(separator: ":").lazy
            .filter { $0.hasPrefix("/") }
            .map { "\($0)/\(name)" }
            .first(where: isExecutable)
    }

    private static func absolute(_ path: String) -> String? {
        if path.hasPrefix("/") { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard getcwd(&buffer, buffer.count) != nil else { return nil }
        return buffer.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { "\(String(cString: $0))/\(path)" }
        }
    }

    private static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && access(path, X_OK) == 0
    }
}
