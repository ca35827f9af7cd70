import Cryptography
import Foundation
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `A keybag` {
    private let storage = MemoryStorage()
    private let random = SeededRandomSource(seed: 7)

    private func element() throws -> SoftwareSecureElement {
        let element = SoftwareSecureElement(storage: storage, random: random)
        try element.prepare()
        return element
    }

    private func keybag(passcode text: String?) throws -> Keybag {
        var keybag = try Keybag(creatingWith: try element(), random: random, path: "keybag")
        if let text {
            try keybag.setPasscode(
                passcode(text).secret,
                proofKeys: nil,
                cost: testCost,
                random: random
            ) { _ throws(DeviceError) in }
        }
        return keybag
    }

    @Test(.requirement("ACC-01"), arguments: [(nil, 402), ("1234", 659)] as [(String?, Int)])
    func `has the size its specification says`(text: String?, byteCount: Int) throws {
        #expect(try keybag(passcode: text).encoded().count == byteCount)
    }

    @Test func `opens again from its bytes`() throws {
        let original = try keybag(passcode: "1234")
        let bytes = try original.encoded()
        var read = try Keybag(decoding: bytes, path: "keybag", element: try element())
        #expect(read.record == original.record)
        #expect(try read.encoded() == bytes)
        #expect(try read.unlock(passcode: passcode("12345").secret) == false)
        #expect(read.isAvailable(.whenUnlocked) == false)
        #expect(try read.unlock(passcode: passcode("1234").secret) == true)
        let available = ProtectionClass.allCases.filter { read.isAvailable($0) }
        #expect(available == ProtectionClass.allCases)
        let isSame = read.withLookupKey { key in
            original.withLookupKey { other in key.constantTimeEquals(other) }
        }
        #expect(isSame)
    }

    @Test(.requirement("ACC-01")) func `opens on no other device`() throws {
        let bytes = try keybag(passcode: nil).encoded()
        let elsewhere = MemoryStorage()
        let foreign = SoftwareSecureElement(
            storage: elsewhere,
            random: SeededRandomSource(seed: 8)
        )
        try foreign.prepare()
        #expect(
            throws: DeviceError.damaged(
                path: "p",
                reason: "it was changed, or belongs to another device"
            )
        ) { _ = try Keybag(decoding: bytes, path: "p", element: foreign) }
    }

    @Test func `changes nothing when saving fails`() throws {
        var keybag = try keybag(passcode: "1234")
        let before = keybag.record
        let refusal = DeviceError.busy(path: "test")
        let settings = try #require(before.passcode)
        let stretched = try CountedAttempt(settings: settings, counted: .none)
            .stretch(passcode("1234").secret)
        #expect(throws: refusal) {
            try keybag.setPasscode(
                passcode("new").secret,
                proofKeys: try keybag.proofKeys(for: stretched),
                cost: testCost,
                random: random
            ) { _ throws(DeviceError) in throw refusal }
        }
        #expect(throws: refusal) {
            try keybag.removePasscode { _ throws(DeviceError) in throw refusal }
        }
        #expect(keybag.record == before)
        #expect(keybag.isAvailable(.whenPasscodeSetThisDeviceOnly) == true)
    }

    @Test func `rewraps nothing while locked`() throws {
        var keybag = try keybag(passcode: "1234")
        keybag.evictWhenUnlocked()
        #expect(throws: DeviceError.self) {
            try keybag.removePasscode { _ throws(DeviceError) in }
        }
    }

    @Test(.requirement("ACC-21")) func `overwrites a key when it evicts it`() throws {
        var keybag = try keybag(passcode: "1234")
        let key = keybag.keys.withKey(.whenUnlocked) { $0.secret.copyBytesUnprotected() }
        let address = keybag.keys.withKey(.whenUnlocked) { key in
            key.secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        }
        keybag.evictWhenUnlocked()
        let start = try #require(address.flatMap { UnsafeRawPointer(bitPattern: $0) })
        #expect([UInt8](UnsafeRawBufferPointer(start: start, count: 32)) != key)
    }
}

@Suite struct `A damaged keybag` {
    private let storage: MemoryStorage
    private let bytes: [UInt8]

    init() throws {
        storage = MemoryStorage()
        _ = try openDevice(storage, creatingWith: passcode("1234"))
        bytes = try #require(storage.read(.keybag))
    }

    /// Whether a device over changed bytes is refused with an error that names the file, which
    /// stays as it is.
    private func isRefused(_ changed: [UInt8]) -> Bool {
        storage.replace(.keybag, with: changed)
        switch failure(of: { try openDevice(storage) }) as? DeviceError {
        case .damaged("memory:keybag", _), .unsupportedVersion("memory:keybag", _):
            return storage.read(.keybag) == changed
        default: return false
        }
    }

    @Test func `is refused and kept at every length, and when any byte differs`() {
        #expect(SpoiledBytes.all(of: bytes, flipping: 0x01).filter { !isRefused($0) } == [])
    }

    @Test(arguments: [
        Argon2id.Cost(memoryKiB: .max, passes: 2, lanes: 1),
        Argon2id.Cost(memoryKiB: 64, passes: .max, lanes: 1),
        Argon2id.Cost(memoryKiB: 64, passes: 0, lanes: 1),
        Argon2id.Cost(memoryKiB: 64, passes: 2, lanes: 0),
        Argon2id.Cost(memoryKiB: 64, passes: 2, lanes: .max),
    ])
    func `is refused when its cost would exhaust us, authentic or not`(
        cost: Argon2id.Cost
    ) throws {
        let element = SoftwareSecureElement(
            storage: storage,
            random: SeededRandomSource(seed: 1)
        )
        var keybag = try Keybag(decoding: bytes, path: "keybag", element: element)
        keybag.record.passcode?.cost = cost
        #expect(try isRefused(keybag.encoded()), "hostile cost")
    }

    @Test(arguments: [(9, 2), (8, 1), (10, 0x04), (10, 0x80)] as [(Int, UInt8)])
    func `is refused when its version or flags are of another time, although authentic`(
        offset: Int,
        bits: UInt8
    ) throws {
        let element = SoftwareSecureElement(storage: storage, random: SeededRandomSource(seed: 1))
        let keybag = try Keybag(decoding: bytes, path: "keybag", element: element)
        var fields = keybag.record.encodedFields()
        fields[offset] ^= bits
        let codeKey = try Keybag.codeKey(of: keybag.uuid, element: element)
        try AuthenticatedFile.seal(&fields, under: codeKey)
        #expect(isRefused(fields), "byte \(offset)")
    }

    @Test func `is refused when it has a passcode cost but no passcode`() throws {
        _ = try openDevice(MemoryStorage())
        let element = SoftwareSecureElement(
            storage: storage,
            random: SeededRandomSource(seed: 1)
        )
        let keybag = try Keybag(
            creatingWith: element,
            random: SeededRandomSource(seed: 2),
            path: "keybag"
        )
        var fields = keybag.record.encodedFields()
        fields[56] = 1
        let codeKey = try Keybag.codeKey(of: keybag.uuid, element: element)
        try AuthenticatedFile.seal(&fields, under: codeKey)
        #expect(isRefused(fields), "salt without a passcode")
    }

    /// With the right passcode, too.
    @Test(.requirement("OPS-06")) func `opens with no other secure element`() throws {
        let other = MemoryStorage()
        _ = try openDevice(other, creatingWith: passcode("1234"), seed: 8)
        storage.replace(.secureElement, with: try #require(other.read(.secureElement)))
        #expect(throws: DeviceError.self) {
            var device = try openDevice(storage)
            _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
        }
        #expect(storage.read(.keybag) == bytes)
    }

    @Test(.requirement("OPS-06")) func `is lost with the secure element, as a document says`()
        throws
    {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = root.appending(path: "Documentation/Spec/keybag.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("Losing `secure-element` is final."))
    }

    @Test(.requirement("OPS-06")) func `is not replaced when the secure element is gone`() {
        storage.remove(.secureElement)
        #expect(throws: DeviceError.missing(path: "memory:secure-element")) {
            _ = try openDevice(storage)
        }
        #expect(storage.read(.secureElement) == nil)
        #expect(storage.read(.keybag) == bytes)
    }
}
