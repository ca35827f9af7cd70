import Glibc

/// The reason why others than root could change a file, as a sentence.
package struct RootFileProblem: Error, Equatable {
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}

/// A file that only root can change or replace.
package enum RootFile {
    /// The kernel's limit for symbolic links in one path.
    private static let linkLimit = 40

    /// Follows a path as the kernel does, and checks everything on the way.
    ///
    /// A sticky directory is no exception: if a file goes, another account can put its own in its
    /// place.
    ///
    /// - Parameter path: An absolute path.
    /// - Returns: The path without symbolic links; nil if there is no such file.
    /// - Throws: `RootFileProblem` if an account other than root can change the file, a directory
    ///   above it, or a link on the way.
    package static func resolve(_ path: String) throws(RootFileProblem) -> String? {
        guard path.hasPrefix("/") else {
            throw RootFileProblem("\(path) is not an absolute path")
        }
        var rest = parts(path)
        var found: [String] = []
        var linkCount = 0
        _ = try look(at: "/")
        while let part = rest.first {
            rest.removeFirst()
            if part == ".." {
                found = found.dropLast()
                continue
            }
            let place = "/" + (found + [part]).joined(separator: "/")
            switch try look(at: place) {
            case .nothing: return nil
            case .file: found.append(part)
            case .link(let target):
                linkCount += 1
                guard linkCount <= linkLimit else { throw RootFileProblem("\(path) has no end") }
                if target.hasPrefix("/") { found = [] }
                rest = parts(target) + rest
            }
        }
        return "/" + found.joined(separator: "/")
    }

    private static func parts(_ path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }
    }

    private enum Look {
        case nothing
        case file
        case link(String)
    }

    /// Checks one file, directory or link.
    private static func look(at path: String) throws(RootFileProblem) -> Look {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return .nothing }
            throw RootFileProblem("\(path) cannot be examined: \(String(cString: strerror(errno)))")
        }
        guard status.st_uid == 0 else { throw RootFileProblem("root does not own \(path)") }
        guard status.st_mode & S_IFMT == S_IFLNK else {
            guard status.st_mode & 0o022 == 0 else {
                throw RootFileProblem("other accounts than root can write \(path)")
            }
            return .file
        }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else {
            throw RootFileProblem("\(path) cannot be followed")
        }
        let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
        return .link(String(decoding: bytes, as: UTF8.self))
    }
}

/// A file of root's with one line: a choice that no other account can make.
///
///     try RootSetting("pinentry").line()     // /usr/bin/pinentry-qt
package struct RootSetting: Sendable {
    /// The directory of these files.
    package static let directory = "/etc/keychain"
    private static let byteCountLimit = 1024

    package let path: String

    package init(_ name: String, in directory: String = Self.directory) {
        path = directory + "/" + name
    }

    /// Reads the line.
    ///
    /// - Returns: The line without blanks around it; nil if there is no such file.
    /// - Throws: `RootFileProblem` if others can change the file, or if its content is not one line
    ///   of at most 1,024 bytes of UTF-8.
    package func line() throws(RootFileProblem) -> String? {
        guard let place = try RootFile.resolve(path) else { return nil }
        let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw RootFileProblem("\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.byteCountLimit + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard (1...Self.byteCountLimit).contains(count),
            let text = String(validating: bytes[..<count], as: UTF8.self)
        else { throw RootFileProblem("\(path) does not have one line of text") }
        // "\r\n" is one character, and not a line feed.
        let ends: Set<Character> = ["\n", "\r\n"]
        let lines = text.split { ends.contains($0) }.map(Self.trimmed).filter { !$0.isEmpty }
        guard lines.count == 1, let line = lines.first,
            !line.unicodeScalars.contains(where: { $0.value < 32 })
        else { throw RootFileProblem("\(path) does not have one line of text") }
        return line
    }

    private static func trimmed(_ line: Substring) -> String {
        let blanks: Set<Character> = [" ", "\t", "\r"]
        let start = line.drop { blanks.contains($0) }
        return String(start.reversed().drop { blanks.contains($0) }.reversed())
    }
}
