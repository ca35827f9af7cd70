import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing

/// An internet password of a server that is readable while the device is unlocked.
private func addInternetPassword(_ server: String, _ account: String, _ password: String) {
    let item: [String: Any] = [
        kSecClass as String: kSecClassInternetPassword,
        kSecAttrServer as String: server,
        kSecAttrProtocol as String: kSecAttrProtocolHTTPS,
        kSecAttrAccount as String: account,
        kSecAttrAuthenticationType as String: kSecAttrAuthenticationTypeHTMLForm,
        kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
        kSecValueData as String: Data(password.utf8),
    ]
    #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
}

private func addGenericPassword(_ service: String, _ account: String) {
    let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecValueData as String: Data("generic".utf8),
    ]
    #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
}

/// A device with an app that has all three parts.
private struct Scene {
    let phone: SimulatedDevice
    var app: SimulatedApp

    static let file = #"{"webcredentials": {"apps": ["TEAMID1234.com.example.app"]}}"#

    init(
        domains: [String] = ["webcredentials:example.com"],
        file: String? = file,
        server: String? = "example.com"
    ) throws {
        phone = try SimulatedDevice()
        app = phone.install(
            .init(bundleIdentifier: "com.example.app", associatedDomains: domains)
        )
        phone.sites["example.com"] = file
        if let server { app.run { addInternetPassword(server, "ada", "hunter2") } }
    }

    var offer: AutoFillOffer { app.autoFillOffer() }
}

@Suite struct `AutoFill on a simulated device` {
    @Test func `offers an account to an app and fills its password`() throws {
        let scene = try Scene()
        #expect(scene.offer.accounts.map(\.user) == ["ada"])
        #expect(scene.offer.reason == nil)
        let account = try #require(scene.offer.accounts.first)
        #expect(try scene.app.autoFill(account) == "hunter2")
    }

    @Test(.requirement("AFL-02"))
    func `offers nothing if any part is missing, and names the part`() throws {
        #expect(try Scene().offer.accounts.count == 1)
        #expect(try Scene(server: nil).offer.reason?.code == "no-item")
        #expect(try Scene(domains: []).offer.reason?.code == "no-associated-domains")
        let applinks = try Scene(domains: ["applinks:example.com"]).offer
        #expect(applinks.reason?.code == "no-associated-domains")
        #expect(try Scene(file: nil).offer.reason?.code == "association-file-missing")
        #expect(try Scene(file: "{").offer.reason?.code == "association-file-not-valid")
        let other = Scene.file.replacingOccurrences(of: "TEAMID1234", with: "TEAMID5678")
        #expect(try Scene(file: other).offer.reason?.code == "app-not-listed")
        #expect(try Scene(file: nil, server: nil).offer.accounts.isEmpty)
    }

    @Test func `follows a site that takes its file away`() throws {
        let scene = try Scene()
        scene.phone.sites["EXAMPLE.com"] = nil
        #expect(scene.offer.accounts.isEmpty)
        let sentence = "example.com has no apple-app-site-association file."
        #expect(scene.offer.reason?.sentence == sentence)
    }

    @Test(.requirement("AFL-01"))
    func `offers the item of the domain only`() throws {
        let scene = try Scene()
        scene.app.run {
            addInternetPassword("example.org", "grace", "a")
            addInternetPassword("www.example.com", "alan", "b")
            addInternetPassword("example.com.evil.org", "eve", "c")
        }
        #expect(scene.app.autoFillOffer(for: "example.com").accounts.map(\.user) == ["ada"])
        let other = scene.app.autoFillOffer(for: "example.org")
        #expect(other.reason?.code == "domain-not-associated")
    }

    @Test(.requirement("CLS-27"))
    func `never offers a generic password`() throws {
        let scene = try Scene(server: nil)
        scene.app.run { addGenericPassword("example.com", "ada") }
        #expect(scene.offer.accounts.isEmpty)
        #expect(scene.offer.reason?.code == "not-internet-password")
        let page = scene.app.autoFillOffer(onPage: "https://example.com/login")
        #expect(page.accounts.isEmpty)
        #expect(page.reason?.code == "not-internet-password")
        scene.app.run { addInternetPassword("example.com", "grace", "a") }
        #expect(scene.offer.accounts.map(\.user) == ["grace"])
    }

    @Test func `offers nothing while the device is locked`() throws {
        let scene = try Scene()
        let account = try #require(scene.offer.accounts.first)
        scene.phone.lock()
        #expect(scene.offer.accounts.isEmpty)
        #expect(scene.offer.reason?.code == "locked")
        #expect(throws: SimulatorError.self) { try scene.app.autoFill(account) }
        try scene.phone.unlock(passcode: "0000")
        #expect(scene.offer.accounts.count == 1)
    }

    @Test func `needs developer mode for such an entry`() throws {
        let scene = try Scene(domains: ["webcredentials:example.com?mode=developer"])
        #expect(scene.offer.reason?.code == "mode-is-off")
        scene.phone.allowsDeveloperDomains = true
        #expect(scene.offer.accounts.count == 1)
    }

    @Test func `shows no item of another app`() throws {
        let scene = try Scene()
        let other = scene.phone.install(
            .init(
                bundleIdentifier: "com.example.other",
                associatedDomains: ["webcredentials:example.com"]
            )
        )
        let apps = #"["TEAMID1234.com.example.app", "TEAMID1234.com.example.other"]"#
        scene.phone.sites["example.com"] = #"{"webcredentials": {"apps": \#(apps)}}"#
        #expect(scene.offer.accounts.count == 1)
        #expect(other.autoFillOffer().reason?.code == "no-item")
        #expect(other.autoFillOffer(onPage: "https://example.com").accounts.isEmpty)
    }

    @Test(arguments: [
        (url: "https://example.com/login", reason: nil),
        (url: "https://www.example.com/", reason: nil),
        (url: "http://example.com/", reason: "other-scheme"),
        (url: "https://exаmple.com/", reason: "look-alike"),
        (url: "https://example.com@evil.org/", reason: "user-in-url"),
    ])
    func `fits pages as browsers do`(url: String, reason: String?) throws {
        #expect(try Scene().app.autoFillOffer(onPage: url).reason?.code == reason)
    }
}
