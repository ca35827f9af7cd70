import Foundation
import Glibc
import SecureElementTPM
import TestSupport

/// A TPM of one test: swtpm over sockets in a directory of its own, both gone with the test.
///
/// The sockets listen before swtpm starts, so that nobody has to wait for it.
final class TestTPM {
    let directory: String
    private var process: TestProcess?
    /// Once for all tests, as a program would.
    private static let support: Void = TPMSupport.register()

    /// Makes a TPM with seeds of its own, and starts it.
    init() throws {
        let base = FileManager.default.temporaryDirectory.path
        directory = base + "/tpm-" + UUID().uuidString.prefix(8)
        try check(mkdir(directory, 0o700) == 0, "mkdir \(directory)")
        _ = Self.support
        try start()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Where libtss2 finds it.
    var place: String { "swtpm:path=" + directory + "/socket" }

    /// The path of swtpm; nil where it is not installed.
    static let program = ["/usr/bin/swtpm", "/usr/local/bin/swtpm"].first { (path: String) in
        access(path, X_OK) == 0
    }

    /// Starts it with the seeds it had, as a restart of the machine does.
    func start() throws {
        let data = try Self.listener(directory + "/socket")
        let control = try Self.listener(directory + "/socket.ctrl")
        var program = try TestProgram([
            Self.program ?? "/usr/bin/swtpm",
            "socket", "--tpm2", "--tpmstate", "dir=" + directory,
            "--server", "type=unixio,fd=0", "--ctrl", "type=unixio,fd=1",
            "--flags", "not-need-init,startup-clear",
        ])
        program.plan.descriptors = [
            STDIN_FILENO: data.fileDescriptor, STDOUT_FILENO: control.fileDescriptor,
        ]
        process = try program.start(hears: [])
        try data.close()
        try control.close()
    }

    /// Ends it at once, in the middle of whatever it does.
    func stop() { process = nil }

    /// Takes its power away and gives it back.
    func restart() throws {
        stop()
        try start()
    }

    private static func listener(_ path: String) throws -> FileHandle {
        unlink(path)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try check(descriptor >= 0, "socket")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [UInt8](path.utf8) + [0]
        try check(name.count <= MemoryLayout.size(ofValue: address.sun_path), "short path")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size)
            }
        }
        try check(bound == 0, "bind \(path)")
        try check(listen(descriptor, 8) == 0, "listen \(path)")
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

/// A step of a test that the system refused.
struct SystemRefusal: Error, CustomStringConvertible {
    let description: String
}

/// Insists that the system did as told.
func check(_ isDone: Bool, _ what: String) throws {
    let reason = String(cString: strerror(errno))
    guard isDone else { throw SystemRefusal(description: "\(what): \(reason)") }
}
