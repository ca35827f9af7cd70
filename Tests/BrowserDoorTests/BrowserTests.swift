import Testing

@testable import BrowserDoor

@Suite struct `The manifest of a browser` {
    @Test(arguments: Browser.allCases)
    func `names the program, and the one extension that may start it`(browser: Browser) {
        let manifest = browser.manifest(program: #"/opt/a "b"/keychain-browser"#)
        #expect(
            browser.program(inManifest: Array(manifest.utf8)) == #"/opt/a "b"/keychain-browser"#
        )
        let isFirefox = browser == .firefox
        let name = isFirefox ? Browser.firefoxExtension : Browser.chromiumExtension
        #expect(manifest.contains(name))
        #expect(manifest.contains("allowed_extensions") == isFirefox)
        #expect(manifest.contains("allowed_origins") != isFirefox)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"name":"other","path":"/x"}"#,
        #"{"name":"org.swift_keychain.browser","path":7}"#,
    ])
    func `is not valid without our name and a path`(text: String) {
        #expect(Browser.chromium.program(inManifest: Array(text.utf8)) == nil)
    }

    @Test func `lies where the browser looks for it`() {
        let places = Browser.allCases.map { $0.directory(home: "/ann", configuration: nil) }
        #expect(
            places == [
                "/ann/.mozilla/native-messaging-hosts",
                "/ann/.config/chromium/NativeMessagingHosts",
                "/ann/.config/google-chrome/NativeMessagingHosts",
            ]
        )
        let moved = Browser.chromium.directory(home: "/ann", configuration: "/c")
        #expect(moved == "/c/chromium/NativeMessagingHosts")
    }

    struct Start: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let isBrowser: Bool
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: [String], isBrowser: Bool) {
            self.arguments = arguments
            self.isBrowser = isBrowser
        }
    }

    private static let origin = "chrome-extension://\(Browser.chromiumExtension)/"
    private static let file = "/ann/.mozilla/native-messaging-hosts/\(Browser.fileName)"

    @Test(arguments: [
        Start([origin], isBrowser: true),
        Start([origin, "--parent-window=0"], isBrowser: true),
        Start([file, Browser.firefoxExtension], isBrowser: true),
        Start(["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"], isBrowser: false),
        Start([file, "other@example.org"], isBrowser: false),
        Start(["/tmp/other.json", Browser.firefoxExtension], isBrowser: false),
        Start([file], isBrowser: false),
        Start([], isBrowser: false),
    ])
    func `is believed only with the arguments for our extension`(row: Start) {
        #expect(Browser.isStarted(by: row.arguments) == row.isBrowser)
    }
}
