import CallerEvidence
import Glibc
import KeychainSockets

/// A reader of policy files, which accepts only files that no other account can have written.
///
/// - Source: Documentation/Spec/evidence.md §4.
package struct PolicyReader: Sendable {
    /// The policies, and the reasons for refusing others.
    package struct Reading: Sendable, Hashable {
        package var policies = ProgramPolicies()
        /// One sentence for each file or directory that is refused, or that may not mean what it
        /// seems to.
        package var problems: [String] = []

        package init() {}
    }

    /// The accounts whose files are accepted: root and, for a daemon of one account, that account.
    private let owners: Set<UInt32>

    /// The greatest number of files in a directory.
    private static let fileLimit = 1024

    /// Makes a reader.
    ///
    /// - Parameter account: The account of a daemon that serves only that account; nil for the
    ///   system's.
    package init(account: UInt32?) { owners = Set([0] + (account.map { [$0] } ?? [])) }

    /// Reads directories in order; a later policy replaces an earlier one for the same selector.
    ///
    /// A missing directory has no policies.
    /// - Returns: The policies, and the reasons for refusing others.
    package func read(_ directories: [String]) -> Reading {
        var reading = Reading()
        for path in directories { read(path, into: &reading) }
        return reading
    }

    private func read(_ path: String, into reading: inout Reading) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        guard let directory = Descriptor(opened: open(path, flags)) else {
            let code = errno
            if code != ENOENT { reading.problems.append(Self.refusal(path, code)) }
            return
        }
        if let problem = problem(of: directory, path) ?? problemAbove(directory, path) {
            return reading.problems.append(problem)
        }
        for name in names(in: directory, path, &reading) {
            readFile(name, in: directory, path + "/" + name, into: &reading)
        }
    }

    /// Returns the policy files of a directory, in alphabetical order.
    private func names(
        in directory: borrowing Descriptor,
        _ path: String,
        _ reading: inout Reading
    ) -> [String] {
        guard let copy = try? directory.duplicate(), let stream = fdopendir(copy.release()) else {
            reading.problems.append(Self.refusal(path, errno))
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 } }
            guard let name = String(validating: bytes, as: UTF8.self), name.hasSuffix(".json"),
                !name.hasPrefix(".")
            else { continue }
            names.append(name)
        }
        guard names.count <= Self.fileLimit else {
            reading.problems.append(
                "\(path) has more than \(Self.fileLimit) policy files; none counts"
            )
            return []
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func readFile(
        _ name: String,
        in directory: borrowing Descriptor,
        _ path: String,
        into reading: inout Reading
    ) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        guard let file = Descriptor(opened: openat(directory.number, name, flags)) else {
            let code = errno
            let problem =
                code == ELOOP
                ? "\(path) is a symbolic link, so it does not count; put the file there"
                : Self.refusal(path, code)
            return reading.problems.append(problem)
        }
        guard let facts = FileFacts(of: file.number), facts.isRegular else {
            return reading.problems.append("\(path) is not a file, so it does not count")
        }
        if let problem = problem(of: file, path) { return reading.problems.append(problem) }
        guard let bytes = try? ProcessDirectory.bytes(of: file, limit: PolicyFile.byteLimit)
        else {
            let limit = PolicyFile.byteLimit >> 20
            return reading.problems.append("\(path) cannot be read, or is larger than \(limit) MiB")
        }
        do throws(PolicyError) {
            let policies = try PolicyFile.parse(bytes, path: path)
            reading.policies.add(policies)
            reading.problems += policies.compactMap { Self.warning(about: $0.selector, path) }
        } catch {
            let place = error.line > 0 ? "\(path):\(error.line)" : path
            reading.problems.append("\(place): \(error.reason); the file does not count")
        }
    }

    // MARK: Who may write

    /// Returns why a file or directory is refused; nil if only its owners can change it.
    private func problem(of file: borrowing Descriptor, _ path: String) -> String? {
        guard let facts = FileFacts(of: file.number) else { return Self.refusal(path, errno) }
        return problem(of: facts, path, isSafeIfSticky: false)
    }

    private func problem(of facts: FileFacts, _ path: String, isSafeIfSticky: Bool) -> String? {
        guard owners.contains(facts.owner) else {
            let owner =
                owners.count > 1 ? "neither root nor this account owns" : "root does not own"
            return "\(owner) \(path), so it does not count"
        }
        guard facts.mode & mode_t(S_IWGRP | S_IWOTH) != 0 else { return nil }
        // In a sticky directory, no account can move or remove another's files.
        if isSafeIfSticky, facts.mode & mode_t(S_ISVTX) != 0 { return nil }
        return "other accounts can write \(path), so it does not count; run: chmod go-w \(path)"
    }

    /// Returns why a directory is refused because of one above it.
    private func problemAbove(_ directory: borrowing Descriptor, _ path: String) -> String? {
        guard var current = try? directory.duplicate() else { return Self.refusal(path, errno) }
        var last: FileFacts.Identity?
        for _ in 0..<Self.depthLimit {
            let flags = Descriptor.pathOnly | O_DIRECTORY | O_CLOEXEC
            guard let parent = Descriptor(opened: openat(current.number, "..", flags)),
                let facts = FileFacts(of: parent.number)
            else { return Self.refusal("a directory above \(path)", errno) }
            if facts.identity == last { return nil }
            if let problem = problem(of: facts, "a directory above \(path)", isSafeIfSticky: true) {
                return problem
            }
            last = facts.identity
            current = parent
        }
        return "\(path) is too deep, so it does not count"
    }

    private static let depthLimit = 128

    // MARK: Words

    private static func refusal(_ path: String, _ code: Int32) -> String {
        "\(path) cannot be read (\(String(cString: strerror(code)))), so it does not count"
    }

    /// Returns a warning about an accepted policy: the kernel reports paths without links.
    private static func warning(about selector: ProgramSelector, _ file: String) -> String? {
        guard case .program(let path) = selector, let resolved = realpath(path, nil) else {
            return nil
        }
        defer { free(resolved) }
        let actual = String(cString: resolved)
        guard !actual.utf8.elementsEqual(path.utf8) else { return nil }
        return "\(file): \(path) is a link, so the policy meets no program; name \(actual)"
    }
}
