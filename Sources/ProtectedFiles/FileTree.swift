import Glibc

/// A walk through a directory for protected files.
package enum FileTree {
    /// The deepest nesting of directories; a deeper one would exhaust the stack of a thread.
    static let depthLimit = 500

    package enum Finding: Equatable {
        /// A protected file. It may be damaged.
        case file(path: String, FileIdentity)
        /// An entry that was skipped, and the reason.
        case leftOut(path: String, String)
    }

    /// Looks for protected files below a directory, by name.
    ///
    /// It follows no links, even if they appear meanwhile, and stays in the file system. It skips
    /// files in the making, and removes leftovers.
    ///
    /// - Throws: The errors of `visit`.
    package static func walk<Failure: Error>(
        _ path: String,
        _ visit: (Finding) throws(Failure) -> Void
    ) throws(Failure) {
        try walk(path, nil, 0, { () throws(FileFailure) in try OpenDirectory(path) }, visit)
    }

    private static func walk<Failure: Error>(
        _ path: String,
        _ outer: dev_t?,
        _ depth: Int,
        _ open: () throws(FileFailure) -> OpenDirectory,
        _ visit: (Finding) throws(Failure) -> Void
    ) throws(Failure) {
        guard depth < depthLimit else {
            let reason = "\(path) was left out: it is in more than \(depthLimit) directories"
            return try visit(.leftOut(path: path, reason))
        }
        let (directory, listing, device): (OpenDirectory, OpenDirectory.Listing, dev_t)
        do throws(FileFailure) {
            directory = try open()
            listing = try directory.listing()
            device = try directory.device()
        } catch {
            return try visit(.leftOut(path: path, error.description))
        }
        guard outer == nil || outer == device else {
            return try visit(.leftOut(path: path, elsewhere(path)))
        }
        for name in listing.garbled {
            let path = directory.path(of: name)
            try visit(.leftOut(path: path, "\(path) was left out: its name is not UTF-8"))
        }
        for name in listing.names {
            try look(name, in: directory, device, depth, visit)
        }
    }

    private static func look<Failure: Error>(
        _ name: String,
        in directory: OpenDirectory,
        _ device: dev_t,
        _ depth: Int,
        _ visit: (Finding) throws(Failure) -> Void
    ) throws(Failure) {
        let path = directory.path(of: name)
        guard let facts = directory.facts(of: name) else {
            guard errno != ENOENT else { return }
            let reason = FileFailure.last("examined", path).description
            return try visit(.leftOut(path: path, reason))
        }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR where facts.st_dev != device,
            S_IFREG where facts.st_dev != device && directory.isMount(name) != false:
            try visit(.leftOut(path: path, elsewhere(path)))
        case S_IFDIR:
            let open = { () throws(FileFailure) in try OpenDirectory(name, in: directory) }
            try walk(path, device, depth + 1, open, visit)
        case S_IFREG:
            if let finding = finding(name, in: directory) { try visit(finding) }
        default: return
        }
    }

    private static func elsewhere(_ path: String) -> String {
        "\(path) was left out: it is in another file system, so name it too"
    }

    /// - Returns: The finding; nil for a file in the making or a plain file.
    private static func finding(_ name: String, in directory: OpenDirectory) -> Finding? {
        do throws(FileFailure) {
            if Leftovers.isOne(name) { try? Leftovers.removeIfLeft(name, in: directory) }
            let file = try directory.open(name, isWritable: false)
            guard !(Leftovers.isOne(name) && file.isUnfinished),
                try FileContainer.isProtected(file)
            else { return nil }
            return .file(path: file.path, FileIdentity(try file.facts()))
        } catch {
            if case .system(_, _, ENOENT) = error { return nil }
            return .leftOut(path: directory.path(of: name), error.description)
        }
    }
}
