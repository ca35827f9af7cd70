import Foundation
import TestSupport
import Testing

@testable import BrowserDoor

/// A home with a keychain, and programs that run in it.
private final class TrialHome {
    let path = FileManager.default.temporaryDirectory.path + "/browser-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { Litter.remove(path) }

    /// Runs a program to its end.
    func run(
        _ program: String,
        _ arguments: [String],
        input: [UInt8] = []
    ) throws -> (status: Int32, output: [UInt8]) {
        let environment = [
            "HOME": path, "KEYCHAIN_HOME": path + "/keychain", "KEYCHAIN_PROMPT": "none",
        ]
        let words = [try MessageBus.product(program)] + arguments
        let result = try TestProgram(words, environment: environment)
            .run(input: input, joinsErrors: false)
        return (result.status, result.bytes)
    }

    func browser(_ arguments: String...) throws -> (status: Int32, output: String) {
        let (status, output) = try run("keychain-browser", arguments)
        return (status, String(decoding: output, as: UTF8.self))
    }
}

@Suite struct `The program keychain-browser` {
    private static let origin = "chrome-extension://\(Browser.chromiumExtension)/"

    private static func framed(_ text: String) -> [UInt8] {
        withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + Array(text.utf8)
    }

    private static func fill(_ url: String) -> [UInt8] {
        framed(#"{"version":1,"request":"fill","url":"\#(url)"}"#)
    }

    @Test func `answers every message of a browser, and ends with it`() throws {
        let home = try TrialHome()
        let words = ["-s", "shop.example", "-a", "ann", "-r", "htps"]
        let stored = try home.run(
            "keychainctl",
            ["add-internet-password"] + words,
            input: Array("open sesame\n".utf8)
        )
        #expect(stored.status == 0)
        let input = Self.fill("https://shop.example/") + Self.fill("http://shop.example/")
        let (status, output) = try home.run("keychain-browser", [Self.origin], input: input)
        var reader = NativeMessageReader()
        reader.append(output)
        let first = String(decoding: try #require(try reader.next()), as: UTF8.self)
        let second = String(decoding: try #require(try reader.next()), as: UTF8.self)
        #expect(first.contains(#""password": "open sesame""#))
        #expect(second.contains(#""code": "other-scheme""#))
        try reader.finish()
        #expect(status == 0)
    }

    @Test func `ends after a length that is too large, with a reason`() throws {
        let (status, output) = try TrialHome()
            .run("keychain-browser", [Self.origin], input: [255, 255, 255, 255])
        #expect(status == 1)
        #expect(String(decoding: output, as: UTF8.self).contains("too long"))
    }

    @Test(arguments: Browser.allCases)
    func `installs and removes the manifest of a browser`(browser: Browser) throws {
        let home = try TrialHome()
        let name = browser.rawValue
        let path = browser.directory(home: home.path, configuration: nil) + "/" + Browser.fileName
        #expect(try home.browser("install", name).status == 0)
        let program = browser.program(inManifest: Array(try Data(contentsOf: URL(filePath: path))))
        #expect(program?.hasSuffix("/keychain-browser") == true)
        #expect(try home.browser("status").output.contains("\(name): \(path) starts"))
        #expect(try home.browser("remove", name).status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: ["install", "remove", "status"])
    func `helps with a command`(command: String) throws {
        let (status, output) = try TrialHome().browser(command, "--help")
        #expect(status == 0)
        #expect(output.hasPrefix("usage:"))
    }

    @Test func `says that there is nothing to remove`() throws {
        let (status, output) = try TrialHome().browser("remove", "chrome")
        #expect(status == 0)
        #expect(output == "chrome: not installed\n")
    }

    @Test func `prints no control characters of a manifest`() throws {
        let home = try TrialHome()
        #expect(try home.browser("install", "firefox").status == 0)
        let path = Browser.firefox.directory(home: home.path, configuration: nil)
        let text = Browser.firefox.manifest(program: "/x\u{1B}]0;y\u{7}")
        try Data(text.utf8).write(to: URL(filePath: path + "/" + Browser.fileName))
        let output = try home.browser("status").output
        #expect(output.contains(#"starts /x\u{1b}]0;y\u{7}, which"#))
    }

    @Test func `waits for no pipe in the place of a manifest`() throws {
        let home = try TrialHome()
        #expect(try home.browser("install", "firefox").status == 0)
        let directory = Browser.firefox.directory(home: home.path, configuration: nil)
        let path = directory + "/" + Browser.fileName
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try home.browser("status").output.contains("firefox: \(path) is not valid"))
    }

    @Test(arguments: [[], ["install"], ["install", "opera"], ["fill"], ["status", "x"]])
    func `refuses other arguments`(arguments: [String]) throws {
        #expect(try TrialHome().run("keychain-browser", arguments).status == 2)
    }
}
