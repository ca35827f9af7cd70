import Foundation
import Glibc
import TestSupport
import Testing

/// A session bus and a keychain of one test, with the service on it; they end with the value.
private final class SecretServiceSession {
    private let bus: MessageBus
    private let environment: [String: String]
    private let options: [String]
    private(set) var service: TestProcess

    /// The clients that it takes: `gdbus` waits for the service.
    static let isInstalled = ["/usr/bin/dbus-daemon", "/usr/bin/gdbus", "/usr/bin/secret-tool"]
        .allSatisfy(FileManager.default.isExecutableFile)

    init(_ options: [String] = [], _ more: [String: String] = [:]) throws {
        self.options = options
        bus = try MessageBus("secret-service")
        environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": bus.folder,
            "XDG_RUNTIME_DIR": bus.folder, "KEYCHAIN_HOME": bus.folder + "/keychain",
            "KEYCHAIN_UNLOCK_TIME": "0",
            "KEYCHAIN_SOCKET": "", "KEYCHAIN_PROMPT": "none",
            "KEYCHAIN_PINENTRY": bus.folder + "/pinentry",
        ].merging(more) { $1 }
        let program = try MessageBus.product("keychain-secret-service")
        service = try bus.start(program, options, environment)
    }

    /// Ends the service at once and starts it anew.
    func restart() throws {
        try service.end(SIGKILL)
        let program = try MessageBus.product("keychain-secret-service")
        service = try bus.start(program, options, environment)
    }

    /// A copy of `secret-tool` at a path of its own: another program.
    func otherTool() throws -> String {
        let path = bus.folder + "/other-tool"
        try FileManager.default.copyItem(atPath: "/usr/bin/secret-tool", toPath: path)
        return path
    }

    /// Puts a dialog in place that shows nothing; returns a file that is there once it was started.
    func watchDialog() throws -> String {
        let (script, mark) = (bus.folder + "/pinentry", bus.folder + "/asked")
        try "#!/bin/sh\n: >'\(mark)'\n".write(toFile: script, atomically: false, encoding: .utf8)
        chmod(script, 0o700)
        return mark
    }

    /// Starts another service that takes the name.
    func replace() throws {
        let program = try MessageBus.product("keychain-secret-service")
        _ = try bus.start(program, ["--replace"], environment)
    }

    /// Runs a program of the session to its end; standard output.
    @discardableResult
    func run(_ words: [String], input: String = "") throws -> (status: Int32, output: String) {
        let result = try TestProgram(words, environment: environment)
            .run(input: input, joinsErrors: false)
        return (result.status, result.output)
    }

    func secretTool(_ words: String..., input: String = "") throws -> String {
        try run(["/usr/bin/secret-tool"] + words, input: input).output
    }

    func keychainctl(_ words: String..., input: String = "") throws -> String {
        try run([MessageBus.product("keychainctl")] + words, input: input).output
    }

    /// Calls a method of the service; what gdbus prints.
    func call(_ path: String, _ method: String, _ arguments: String...) throws -> String {
        try run(
            [
                "/usr/bin/gdbus", "call", "--session", "--dest", "org.freedesktop.secrets",
                "--object-path", "/org/freedesktop/secrets" + path, "--method", method,
            ] + arguments
        ).output
    }
}

@Suite(.enabled(if: SecretServiceSession.isInstalled))
struct `The Secret Service on a bus` {
    @Test(.requirement("SSV-04"))
    func `keeps secrets for secret-tool and keychainctl`() throws {
        let session = try SecretServiceSession()
        _ = try session.secretTool(
            "store",
            "--label=Mail",
            "service",
            "mail",
            "user",
            "a",
            input: "x1"
        )
        let found = try session.secretTool("lookup", "service", "mail", "user", "a")
        #expect(found == "x1")
        let read = try session.keychainctl("find-generic-password", "-s", "mail", "-a", "a", "-w")
        #expect(read == "x1\n")
        _ = try session.keychainctl("add-generic-password", "-s", "chat", "-a", "b", "-w", "y2")
        #expect(try session.secretTool("lookup", "service", "chat", "account", "b") == "y2")
        #expect(try session.secretTool("lookup", "service", "mail", "user", "b") == "")
        _ = try session.secretTool("clear", "service", "mail", "user", "a")
        #expect(try session.secretTool("lookup", "service", "mail", "user", "a") == "")
    }

    @Test func `loses nothing that it acknowledged when it is killed`() throws {
        let session = try SecretServiceSession()
        _ = try session.secretTool("store", "--label=L", "kind", "kept", input: "line\nline\n")
        let query = ["org.freedesktop.Secret.Service.SearchItems", "{'kind': 'kept'}"]
        let before = try session.call("", query[0], query[1])
        try session.restart()
        #expect(try session.call("", query[0], query[1]) == before)
        #expect(before.contains("/collection/login/"))
        #expect(try session.secretTool("lookup", "kind", "kept") == "line\nline\n")
    }

    @Test(.requirement("SSV-05"))
    func `keeps two programs apart, and their items over a restart`() throws {
        let session = try SecretServiceSession(["--apart"])
        let other = try session.otherTool()
        let words = ["--label=L", "kind", "kept"]
        try session.run(["/usr/bin/secret-tool", "store"] + words, input: "one")
        try session.run([other, "store"] + words, input: "two")
        try session.restart()
        #expect(try session.secretTool("lookup", "kind", "kept") == "one")
        #expect(try session.run([other, "lookup", "kind", "kept"]).output == "two")
        try session.run([other, "clear", "kind", "kept"])
        #expect(try session.run([other, "lookup", "kind", "kept"]).output == "")
        #expect(try session.secretTool("lookup", "kind", "kept") == "one")
        #expect(try session.keychainctl("doors").contains("each program reads its own items"))
        // gdbus is a third program.
        let search = "org.freedesktop.Secret.Service.SearchItems"
        #expect(try session.call("", search, "{'kind': 'kept'}") == "(@ao [], @ao [])\n")
    }

    @Test(.requirement("SSV-05"))
    func `shares with every program where that is chosen`() throws {
        let session = try SecretServiceSession(["--shared"])
        let other = try session.otherTool()
        try session.run([other, "store", "--label=L", "kind", "kept"], input: "one")
        #expect(try session.secretTool("lookup", "kind", "kept") == "one")
        #expect(try session.keychainctl("doors").contains("every program of the session"))
    }

    @Test func `asks nobody about an item with an access control, and refuses to change it`() throws
    {
        let session = try SecretServiceSession([], ["KEYCHAIN_PROMPT": "pinentry"])
        let mark = try session.watchDialog()
        let passcode = "right passcode 1\nright passcode 1\n"
        _ = try session.keychainctl("passcode", "set", input: passcode)
        let words = ["add-generic-password", "-s", "guarded", "-a", "a", "-w", "x"]
        let keychainctl = try MessageBus.product("keychainctl")
        let added = try session.run([keychainctl] + words + ["--require", "userPresence"])
        #expect(added.status == 0)
        let search = "org.freedesktop.Secret.Service.SearchItems"
        let found = try session.call("", search, "{'service': 'guarded'}")
        let prefix = "/collection/login/"
        let path = try #require(found.components(separatedBy: prefix).dropFirst().first)
            .prefix { $0 != "'" }
        let item = "org.freedesktop.Secret.Item"
        let set = "org.freedesktop.DBus.Properties.Set"
        #expect(try session.call(prefix + path, set, item, "Label", "<'y'>") == "")
        let get = "org.freedesktop.DBus.Properties.Get"
        #expect(try session.call(prefix + path, get, item, "Label") == "(<'guarded'>,)\n")
        #expect(try session.secretTool("lookup", "service", "guarded") == "")
        #expect(access(mark, F_OK) != 0)
    }

    @Test func `locks with the keychain`() throws {
        let session = try SecretServiceSession()
        _ = try session.secretTool("store", "--label=L", "kind", "kept", input: "value")
        _ = try session.keychainctl(
            "passcode",
            "set",
            input: "right passcode 1\nright passcode 1\n"
        )
        let login = "['/org/freedesktop/secrets/collection/login']"
        let locked = try session.call("", "org.freedesktop.Secret.Service.Lock", login)
        #expect(locked.contains("/collection/login"))
        #expect(try session.keychainctl("status").contains("locked"))
        #expect(try session.secretTool("lookup", "kind", "kept") == "")
        let found = try session.call(
            "",
            "org.freedesktop.Secret.Service.SearchItems",
            "{'kind': 'kept'}"
        )
        #expect(found.hasPrefix("(@ao [], ["))
        _ = try session.keychainctl("unlock-keychain", "-p", "right passcode 1")
        #expect(try session.secretTool("lookup", "kind", "kept") == "value")
    }

    @Test func `gives its name to another one that asks for it`() throws {
        let session = try SecretServiceSession()
        _ = try session.secretTool("store", "--label=L", "kind", "kept", input: "value")
        try session.replace()
        #expect(try session.service.wait().status == 0)
        #expect(try session.secretTool("lookup", "kind", "kept") == "value")
    }

    @Test func `answers wrong calls with the errors of the draft`() throws {
        let session = try SecretServiceSession()
        let service = "org.freedesktop.Secret.Service."
        // gdbus prints errors to standard error; what it prints here is nothing.
        #expect(try session.call("", service + "OpenSession", "rot13", "<''>") == "")
        #expect(
            try session.call("/collection/none", "org.freedesktop.Secret.Collection.Delete") == ""
        )
        #expect(
            try session.call("", service + "ReadAlias", "default").contains("/collection/login")
        )
        #expect(try session.call("", "org.freedesktop.DBus.Peer.Ping") == "()\n")
    }
}
