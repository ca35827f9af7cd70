import Cryptography
import DataProtection
import Foundation
import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import Secrets

/// A synchronizing keychain in memory, with the product's own engine and driver.
///
/// `@unchecked Sendable` is correct because `Turns` gives a device to one thread at a time.
final class ScaleDevice: @unchecked Sendable {
    private static let passcode: [UInt8] = Array("1234".utf8)
    private static let accessGroup = "SCALE.app"
    /// The passcode of a measured device protects nothing, so it is derived cheaply.
    private static let cost = Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)

    let name: String
    let endpoint: EngineEndpoint
    var sync: SyncDevice
    /// The code that another device has to approve.
    var fingerprint: SyncCode?

    /// Makes an unlocked device without items.
    init(_ name: String) throws {
        self.name = name
        let engine = try Self.engine()
        let groups = Entitlements(keychainAccessGroups: [Self.accessGroup])
        let caller = Caller(entitlements: groups, system: .host, canPrompt: false)
        endpoint = EngineEndpoint(engine: engine, caller: caller, note: { _ in })
        sync = SyncDevice(endpoint, now: Self.now)
    }

    private static func engine() throws -> Engine {
        let random = SystemRandomSource()
        let storage = MemoryStorage()
        // Its clock stands still, so it does not lock by itself.
        let moment = DeviceInstant(bootID: [UInt8](repeating: 1, count: 16), uptime: .seconds(1))
        let secret = SharedSecret(Secret(copying: passcode))
        let device = try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            creatingWith: secret,
            tokenLifetime: .untilRestart,
            stretchingCost: { cost },
            random: random,
            at: moment
        )
        let engine = try Engine(
            device: device,
            store: ItemStore(opening: nil),
            environment: EngineEnvironment(now: now, instant: { moment }, random: random),
            profiles: Profiles(system: .host, behavior: .documented)
        )
        try engine.unlock(passcode: secret)
        return engine
    }

    /// Seconds since 2001.
    private static let now: @Sendable () -> Double = { Date.now.timeIntervalSinceReferenceDate }

    // MARK: - Items

    /// Returns the primary key of an item that this or another device added.
    private static func key(_ number: Int, of device: String) -> AttributeDictionary {
        [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue),
            Attribute.service.rawValue: .string("com.example.service.\(number / 100)"),
            Attribute.account.rawValue: .string("user-\(number)@\(device).example.org"),
            Attribute.synchronizable.rawValue: .bool(true),
        ]
    }

    /// Returns a password of 24 letters.
    private static func value(_ number: Int, _ round: Int) -> AttributeValue {
        let text = "password \(round) \(number) "
        let padded = text + String(repeating: "x", count: max(0, 24 - text.utf8.count))
        return .secret(SharedSecret(Secret(copying: Array(padded.utf8))))
    }

    /// Adds items to this device.
    func add(_ count: Int) throws {
        for number in 0..<count {
            var item = Self.key(number, of: name)
            item[Attribute.label] = .string("Login \(number) of \(name)")
            item[QueryKey.valueData.rawValue] = Self.value(number, 0)
            _ = try endpoint.send(ItemRequest.add(item))
        }
    }

    /// Changes the first of the items that this device added.
    func change(_ count: Int, round: Int) throws {
        for number in 0..<count {
            let new: AttributeDictionary = [
                QueryKey.valueData.rawValue: Self.value(number, round)
            ]
            _ = try endpoint.send(ItemRequest.update(Self.key(number, of: name), with: new))
        }
    }

    /// Whether the keychain has this version of an item that a device added.
    func has(_ number: Int, of device: String, round: Int) throws -> Bool {
        var query = Self.key(number, of: device)
        query[QueryKey.returnData.rawValue] = .bool(true)
        guard case .result(.data(let found)) = try endpoint.send(ItemRequest.copyMatching(query)),
            case .secret(let wanted) = Self.value(number, round)
        else { return false }
        return found.secret.copyBytesUnprotected() == wanted.secret.copyBytesUnprotected()
    }

    func itemCount() throws -> Int { try sync.status()?.itemCount ?? 0 }
}
