import Glibc
import Synchronization
import Testing

@testable import ProtectedFiles

/// A program that opens a file for writing at the moment in which another takes its name.
@Suite struct `A program that waits to write` {
    private static let known: [UInt8] = [1, 2]

    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `does not write to a file without a name`() throws {
        try replace(folder("a"), Self.known)
        let replaced = try ReplacedFile(plainOrNone: folder("a"))
        let (path, descriptor) = (folder("a"), try #require(replaced.file).descriptor)
        let writer = Writer(path)
        replaced.atLastLook = {
            writer.start()
            Writer.awaitOne(of: descriptor)
        }
        try replace(folder("draft"), [3])
        #expect(throws: FileFailure.busy(path)) {
            try replaced.giveName(to: "draft", isLeftover: true)
        }
        #expect(writer.end() == 1)
        #expect(try contents(path) == Self.known + [9])
        #expect(try contents(folder("draft")) == [3])
    }

    @Test func `finds the new content afterwards`() throws {
        try replace(folder("a"), Self.known)
        let isDone = try PlainFile.rewrite(
            folder("a"),
            with: [3],
            draft: "draft",
            .init(new: 0o600)
        ) { $0 == Self.known }
        #expect(isDone)
        #expect(folder.names == ["a"])
        let writer = Writer(folder("a"))
        writer.start()
        #expect(writer.end() == 1)
        #expect(try contents(folder("a")) == [3, 9])
    }

    @Test(arguments: [mode_t(0o777), 0o640, 0o600])
    func `has at most the rights of the limit`(limit: mode_t) throws {
        try replace(folder("a"), Self.known)
        chmod(folder("a"), 0o664)
        let rights = PlainFile.Rights(new: 0o600, limit: limit)
        _ = try PlainFile.rewrite(folder("a"), with: [3], draft: "draft", rights) { _ in true }
        var facts = stat()
        try #require(stat(folder("a"), &facts) == 0)
        #expect(facts.st_mode & 0o7777 == 0o664 & limit)
    }

    /// A thread that appends a byte to a file.
    private final class Writer: Sendable {
        private let path: String
        private let thread = Mutex<pthread_t?>(nil)
        private let count = Mutex(0)

        init(_ path: String) { self.path = path }

        /// `F_GETLEASE`, which the Glibc module leaves out.
        private static let leaseOf: Int32 = 1025

        /// Waits until a writer waits for the lease of an open file, as the system says.
        static func awaitOne(of descriptor: Int32) {
            while fcntl(descriptor, leaseOf) == F_RDLCK { sched_yield() }
        }

        func start() {
            var started = pthread_t()
            let own = Unmanaged.passRetained(self).toOpaque()
            let code = pthread_create(
                &started,
                nil,
                { context in
                    guard let context else { return nil }
                    let writer = Unmanaged<Writer>.fromOpaque(context).takeRetainedValue()
                    writer.append()
                    return nil
                },
                own
            )
            thread.withLock { $0 = code == 0 ? started : nil }
        }

        private func append() {
            let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
            guard file >= 0 else { return }
            let written = write(file, [UInt8(9)], 1)
            close(file)
            count.withLock { $0 = written }
        }

        /// Waits for the thread; returns the number of bytes that it wrote.
        func end() -> Int {
            if let thread = thread.withLock({ $0 }) { pthread_join(thread, nil) }
            return count.withLock { $0 }
        }
    }
}
