import Foundation
import Glibc
import TestSupport
import Testing

/// A program of a test server was not there or failed.
struct ServerFailure: Error { let words: String }

/// A directory of a server, which a shell removes when the tests' process ends in whatever way.
///
/// The shell waits for the end of a pipe that this process holds. `@unchecked Sendable` is sound
/// because nothing changes after the initializer.
final class ServerFolder: @unchecked Sendable {
    let path: String
    private let shell: TestProcess

    /// `farewell` makes a command that ends the server before its directory goes.
    init(_ name: String, owner: String?, farewell: (String) -> String) throws {
        let base = FileManager.default.temporaryDirectory.path
        path = base + "/\(name)-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        if let owner, let account = getpwnam(owner) {
            guard chown(path, account.pointee.pw_uid, account.pointee.pw_gid) == 0 else {
                throw ServerFailure(words: "chown \(path)")
            }
        }
        let end = farewell(path)
        let script = "trap '' INT TERM; cat >/dev/null; \(end); rm -rf '\(path)'"
        shell = try TestProgram(["/bin/sh", "-c", script]).start(hears: [], hasInput: true)
    }
}

/// Runs a program to its end.
///
/// - Throws: What it said, if it failed.
func run(_ program: String, _ arguments: [String], log: String) throws {
    let result = try runProgram([program] + arguments, directory: "/")
    try result.output.write(toFile: log, atomically: false, encoding: .utf8)
    guard result.status == 0 else {
        throw ServerFailure(words: "\(program) \(arguments): \(result.output)")
    }
}

/// A server's process, which is ready when it says so.
final class ServerProcess {
    private let process: TestProcess

    /// Starts a program and waits until it says these words on standard error.
    init(_ arguments: [String], until words: String) throws {
        process = try TestProgram(arguments, directory: "/").start(hears: [STDERR_FILENO])
        try process.hear(until: words)
    }

    var number: pid_t { process.processID }

    func stop(_ signal: Int32) {
        _ = try? process.end(signal)
    }
}

/// A PostgreSQL cluster of these tests; nothing outside its directory knows of it.
///
/// `@unchecked Sendable` is sound because the tests that stop and start it run one after the other.
final class PostgreSQLServer: @unchecked Sendable {
    /// The newest of Debian's directories with programs, or the one that the variable names.
    static let programs: String? = {
        let environment = ProcessInfo.processInfo.environment["KEYCHAIN_POSTGRESQL_PROGRAMS"]
        let base = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        let found = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
            .map { "\(base)/\($0)/bin" }
        return ([environment].compactMap { $0 } + found).first {
            access($0 + "/initdb", X_OK) == 0 && access($0 + "/postgres", X_OK) == 0
        }
    }()

    /// One for all tests.
    static let shared = Result { try PostgreSQLServer() }

    private let folder: ServerFolder
    private let programs: String
    private var process: ServerProcess?

    init() throws {
        guard let programs = Self.programs else { throw ServerFailure(words: "no PostgreSQL") }
        self.programs = programs
        folder = try ServerFolder("pg", owner: Self.account) { path in
            // The first line of this file is the number of the server's process.
            "kill -QUIT $(head -n 1 '\(path)/data/postmaster.pid')"
        }
        let cluster = ["-D", data, "-U", "sync", "-A", "trust", "--no-sync", "--no-locale"]
        let command = Self.prefix + ["\(programs)/initdb"] + cluster
        try run("/usr/bin/env", command, log: folder.path + "/initdb.log")
        try start()
    }

    /// The server refuses to run as root.
    private static let account: String? =
        geteuid() == 0 ? ["postgres", "nobody"].first { getpwnam($0) != nil } : nil
    private static let prefix =
        account.map { ["setpriv", "--reuid=\($0)", "--clear-groups"] } ?? []

    private var data: String { folder.path + "/data" }

    /// For libpq.
    var connection: String { "host=\(folder.path) user=sync dbname=postgres" }

    func start() throws {
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(folder.path)", "fsync=off",
            "autovacuum=off", "shared_buffers=16MB", "max_connections=40",
        ]
        let arguments = ["-D", data] + settings.flatMap { ["-c", $0] }
        process = try ServerProcess(
            Self.prefix + ["\(programs)/postgres"] + arguments,
            until: "ready to accept connections"
        )
    }

    func stop() { process?.stop(SIGINT) }
}

/// An etcd of these tests.
///
/// `@unchecked Sendable` is sound because the tests that stop and start it run one after the other.
final class EtcdServer: @unchecked Sendable {
    /// Debian's etcd, or the one that the variable names.
    static let program: String? = {
        let environment = ProcessInfo.processInfo.environment["KEYCHAIN_ETCD"]
        return [environment, "/usr/bin/etcd", "/usr/local/bin/etcd"].compactMap { $0 }.first {
            access($0, X_OK) == 0
        }
    }()

    /// One for all tests.
    static let shared = Result { try EtcdServer() }

    private let folder: ServerFolder
    private let port: UInt16
    private let peerPort: UInt16
    private let certificates: TestCertificates?
    private var process: ServerProcess?

    /// With certificates, it asks each client for one of the same authority.
    init(_ certificates: TestCertificates? = nil) throws {
        self.certificates = certificates
        (port, peerPort) = (try Self.freePort(), try Self.freePort())
        folder = try ServerFolder("etcd", owner: nil) { path in
            "kill -9 $(cat '\(path)/pid')"
        }
        try start()
    }

    var endpoint: String { "\(certificates == nil ? "http" : "https")://127.0.0.1:\(port)" }

    /// Starts it and waits until it says that it serves clients.
    func start() throws {
        let peers = "http://127.0.0.1:\(peerPort)"
        let arguments = [
            "--data-dir", folder.path + "/data", "--name", "tests",
            "--listen-client-urls", endpoint, "--advertise-client-urls", endpoint,
            "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
            "--initial-cluster", "tests=" + peers,
        ]
        let started = try ServerProcess(
            [Self.program ?? "etcd"] + arguments + (certificates?.arguments ?? []),
            until: "ready to serve client requests"
        )
        try "\(started.number)"
            .write(toFile: folder.path + "/pid", atomically: true, encoding: .utf8)
        process = started
    }

    func stop() { process?.stop(SIGKILL) }

    /// A port that nobody listens to.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        guard code == 0 else { throw ServerFailure(words: "no free port") }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// An authority and a certificate of it, which serves as server and as client.
final class TestCertificates: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tls-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try make("authority", [])
        let issuer = ["-CA", authority, "-CAkey", path + "/authority.key"]
        let address = ["-addext", "subjectAltName=IP:127.0.0.1"]
        try make("peer", issuer + address + ["-addext", "basicConstraints=CA:FALSE"])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    private func make(_ name: String, _ arguments: [String]) throws {
        let request = ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)"]
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let files = ["-keyout", "\(path)/\(name).key", "-out", "\(path)/\(name).pem"]
        try run("/usr/bin/openssl", request + key + files + arguments, log: path + "/log")
    }

    var authority: String { path + "/authority.pem" }
    var certificate: String { path + "/peer.pem" }
    var key: String { path + "/peer.key" }

    /// For etcd.
    var arguments: [String] {
        [
            "--cert-file", certificate, "--key-file", key, "--trusted-ca-file", authority,
            "--client-cert-auth",
        ]
    }
}
