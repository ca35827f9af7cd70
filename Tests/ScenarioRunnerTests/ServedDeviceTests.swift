import Foundation
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServices
import KeychainSimulator
import Synchronization
import TestSupport
import Testing

@testable import ScenarioRunner

/// A program's way to a served device, without a socket in between.
private struct ServedEndpoint: Endpoint {
    let served: ServedDevice
    let program: ServedDevice.Program
    let findings = FindingList()

    var profiles: Profiles {
        Profiles(system: served.device.system, behavior: served.device.behavior)
    }

    func send(_ request: Request) throws(KeychainError) -> Reply {
        try served.perform(request, from: program) { findings.add($0) }
    }

    func note(_ finding: Finding) { findings.add(finding) }
}

private final class FindingList: Sendable {
    private let list = Mutex<[Finding]>([])

    func add(_ finding: Finding) { list.withLock { $0.append(finding) } }
    var all: [Finding] { list.withLock { $0 } }
}

/// A served device with a program on it.
private struct Bench {
    let served: ServedDevice
    let endpoint: ServedEndpoint

    init(
        system: SystemProfile = .iOS(26),
        entitlements: Entitlements? = nil,
        name: String = "mailer",
        setUp: [[String]] = []
    ) throws {
        let setup = Scenario.DeviceSetup(
            name: "phone",
            passcode: "0000",
            biometry: .faceID,
            system: system,
            behavior: .documented
        )
        let device = try ServedDevice(setup)
        _ = try setUp.map { try device.perform(DeviceCommand($0)) }
        served = device
        let identity = DeclaredIdentity(entitlements: entitlements, name: name)
        endpoint = ServedEndpoint(served: served, program: served.launch(identity))
    }

    @discardableResult
    func act(_ words: String...) throws -> String { try served.perform(DeviceCommand(words)) }

    func add(_ account: String = "ada", group: String? = nil) -> OSStatus {
        var item = query(account, group)
        item[kSecValueData as String] = Data("secret".utf8)
        return inside { SecItemAdd(item as CFDictionary, nil) }
    }

    func read(_ account: String = "ada", group: String? = nil) -> OSStatus {
        let item = query(account, group)
        return inside { SecItemCopyMatching(item as CFDictionary, nil) }
    }

    private func inside(_ body: () -> OSStatus) -> OSStatus {
        RequestRouter.$current.withValue(endpoint, operation: body)
    }

    private func query(_ account: String, _ group: String?) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "mail", kSecAttrAccount as String: account,
        ]
        if let group { query[kSecAttrAccessGroup as String] = group }
        return query
    }
}

@Suite struct `A served device` {
    @Test func `gives a program the status of the state that the command puts it into`() throws {
        let bench = try Bench()
        #expect(bench.add() == errSecSuccess)
        #expect(bench.read() == errSecSuccess)
        try bench.act("background")
        try bench.act("lock")
        #expect(bench.read() == errSecInteractionNotAllowed)
        try bench.act("unlock")
        #expect(bench.read() == errSecSuccess)
        try bench.act("reboot")
        #expect(bench.read() == errSecInteractionNotAllowed)
        try bench.act("unlock", "0000")
        #expect(bench.read() == errSecSuccess)
    }

    @Test func `lets time pass only by command`() throws {
        let bench = try Bench()
        #expect(bench.add() == errSecSuccess)
        try bench.act("background", "mailer")
        try bench.act("lock", "10s")
        try bench.act("advance", "9s")
        #expect(bench.read() == errSecSuccess)
        try bench.act("advance", "1s")
        #expect(bench.read() == errSecInteractionNotAllowed)
    }

    @Test func `hands the findings of a call to the program`() throws {
        let bench = try Bench()
        #expect(bench.add() == errSecSuccess)
        #expect(bench.endpoint.findings.all.map(\.rule).contains("missing-accessible"))
        #expect(bench.served.device.findings == bench.endpoint.findings.all)
    }

    @Test func `knows a program by its name where it declares nothing`() throws {
        let bench = try Bench()
        #expect(bench.add(group: "mailer") == errSecSuccess)
        #expect(bench.add("bob", group: "other") == errSecMissingEntitlement)
    }

    @Test func `takes the groups that a program declares`() throws {
        let entitlements = Entitlements(
            applicationIdentifier: "TEAMID1234.com.example.app",
            keychainAccessGroups: ["TEAMID1234.shared"]
        )
        let bench = try Bench(entitlements: entitlements)
        #expect(bench.add(group: "TEAMID1234.shared") == errSecSuccess)
        #expect(bench.add("bob", group: "mailer") == errSecMissingEntitlement)
        #expect(try bench.act("status").contains("com.example.app (foreground)"))
    }

    @Test func `gives a program the groups that its app was installed with`() throws {
        let bench = try Bench(setUp: [["install", "mailer", "groups=shared"]])
        #expect(bench.add(group: "TEAMID1234.shared") == errSecSuccess)
    }

    @Test func `refuses an app that was uninstalled until it is started again`() throws {
        let bench = try Bench()
        #expect(bench.add() == errSecSuccess)
        try bench.act("uninstall", "mailer")
        #expect(bench.read() == errSecMissingEntitlement)
        let identity = DeclaredIdentity(entitlements: nil, name: "mailer")
        _ = bench.served.launch(identity)
        #expect(try bench.act("status").contains("mailer"))
    }

    @Test func `refuses what a device refuses, with its status`() throws {
        let bench = try Bench()
        try bench.act("lock")
        let wrong = #expect(throws: KeychainError.self) { try bench.act("unlock", "1111") }
        #expect(wrong?.status == .authFailed)
        let absent = #expect(throws: KeychainError.self) { try bench.act("restore") }
        #expect(absent?.reason.contains("there is no backup 'backup'") == true)
        let unknown = #expect(throws: KeychainError.self) { try bench.act("uninstall", "x") }
        #expect(unknown?.status == .param)
    }

    @Test func `shows itself in words and as JSON`() throws {
        let bench = try Bench(system: .macOS(26))
        #expect(bench.add() == errSecSuccess)
        try bench.act("present", "null")
        let text = try bench.act("status")
        #expect(text.contains("device:    phone, macOS 26, documented\n"))
        #expect(text.contains("state:     unlocked, with a passcode\n"))
        #expect(text.contains("user:      presents nothing\n"))
        let data = Data(try bench.act("status", "json").utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["state"] as? String == "unlocked")
        #expect((json["apps"] as? [[String: String]])?.first?["name"] == "mailer")
        #expect(try bench.act("prompts").isEmpty)
        #expect(try bench.act("findings", "json").hasPrefix("["))
    }
}
