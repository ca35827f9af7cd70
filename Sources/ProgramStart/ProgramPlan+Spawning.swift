import Glibc
import Synchronization

@_implementationOnly import CProcess

/// The lock that lets one thread at a time start a program.
///
/// A child has copies of all descriptors until it executes its program. Among them may be a
/// descriptor with which another thread is writing a program, and the kernel executes no file that
/// is open for writing (`ETXTBSY`). posix_spawn(3) returns when the child has executed its program.
///
/// - Source: execve(2); close-on-exec has no effect between fork(2) and execve(2).
private let spawning = Mutex<Void>(())

extension ProgramPlan {
    /// `POSIX_SPAWN_SETSID`, which glibc shows to GNU sources only; posix_spawn(3).
    private static let newSession: Int32 = 0x80

    func spawn() throws(StartFailure) -> pid_t {
        let words = [name ?? path] + arguments
        // A word that is cut off may have another meaning.
        let isWhole = (words + environment + [path]).allSatisfy { !$0.utf8.contains(0) }
        guard path.hasPrefix("/"), isWhole else { throw StartFailure(path, EINVAL) }
        let last = max(descriptors.keys.max() ?? STDERR_FILENO, STDERR_FILENO)
        guard descriptors.keys.allSatisfy({ $0 >= 0 }) else { throw StartFailure(path, EBADF) }
        // The copies have numbers above those that the program gets.
        var copies: [Int32: Int32] = [:]
        defer { for copy in copies.values { close(copy) } }
        for (number, source) in descriptors {
            let copy = fcntl(source, F_DUPFD_CLOEXEC, last + 1)
            guard copy >= 0 else { throw StartFailure(path, errno) }
            copies[number] = copy
        }
        var actions = posix_spawn_file_actions_t()
        try check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in 0...last { try check(add(number, copies[number], to: &actions)) }
        try check(process_close_from(&actions, last + 1))
        if let directory { try check(process_change_directory(&actions, directory)) }
        var attributes = posix_spawnattr_t()
        try check(posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }
        try set(&attributes)
        var child: pid_t = 0
        let code = CStrings.with(words) { words in
            CStrings.with(environment) { environment in
                spawning.withLock { _ in
                    let state = process_dump_state()
                    defer { _ = process_hide_again(state) }
                    return posix_spawn(&child, path, &actions, &attributes, words, environment)
                }
            }
        }
        try check(code ?? ENOMEM)
        return child
    }

    private func check(_ code: Int32) throws(StartFailure) {
        guard code == 0 else { throw StartFailure(path, code) }
    }

    /// Gives the child a descriptor under a number, or `/dev/null`, or nothing.
    private func add(
        _ number: Int32,
        _ copy: Int32?,
        to actions: inout posix_spawn_file_actions_t
    ) -> Int32 {
        if let copy { return posix_spawn_file_actions_adddup2(&actions, copy, number) }
        guard number <= STDERR_FILENO else {
            return posix_spawn_file_actions_addclose(&actions, number)
        }
        let access = number == STDIN_FILENO ? O_RDONLY : O_WRONLY
        return posix_spawn_file_actions_addopen(&actions, number, "/dev/null", access, 0)
    }

    private func set(_ attributes: inout posix_spawnattr_t) throws(StartFailure) {
        var (mask, reset) = (sigset_t(), sigset_t())
        switch signals {
        case .fresh:
            sigemptyset(&mask)
            sigfillset(&reset)
        case .given(let given, let others): (mask, reset) = (given, others)
        }
        try check(posix_spawnattr_setsigmask(&attributes, &mask))
        try check(posix_spawnattr_setsigdefault(&attributes, &reset))
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        // A process without raised rights may have a filter that forbids the calls for this.
        if getegid() != getgid() || geteuid() != getuid() { flags |= POSIX_SPAWN_RESETIDS }
        switch group {
        case .inherited: break
        case .own:
            flags |= POSIX_SPAWN_SETPGROUP
            try check(posix_spawnattr_setpgroup(&attributes, 0))
        case .session: flags |= Self.newSession
        }
        try check(posix_spawnattr_setflags(&attributes, Int16(flags)))
    }
}

/// Words as C strings.
private enum CStrings {
    /// Calls `body` with pointers to copies of the words, and nil at the end.
    ///
    /// - Returns: nil if there is no memory.
    static func with<R>(
        _ words: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R?
    ) -> R? {
        var copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        guard copies.allSatisfy({ $0 != nil }) else { return nil }
        copies.append(nil)
        return copies.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(body) }
    }
}
