import Cryptography
import KeychainModel
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `A keybag's note on the sum of the rows` {
    private let storage = MemoryStorage()

    private func flags() throws -> UInt8 { try #require(storage.read(.keybag))[10] }

    /// Makes the keybag one of before there was a sum.
    private func age() throws {
        let element = SoftwareSecureElement(
            storage: storage,
            random: SeededRandomSource(seed: 1)
        )
        let bytes = try #require(storage.read(.keybag))
        var keybag = try Keybag(decoding: bytes, path: "keybag", element: element)
        keybag.record.sumsRows = false
        storage.replace(.keybag, with: try keybag.encoded())
    }

    @Test(arguments: [(nil, 2), ("1234", 3)] as [(String?, UInt8)])
    func `is in every new one`(text: String?, expected: UInt8) throws {
        let device = try openDevice(storage, creatingWith: text.map(passcode))
        #expect(device.sumsRows == true)
        #expect(try flags() == expected)
    }

    @Test func `is made once, and changes no key`() throws {
        var device = try openDevice(storage, creatingWith: passcode("1234"))
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(0))
        let probe = try wrapProbe(device, .whenUnlocked)
        try age()
        _ = try device.follow(at: instant(1))
        #expect(device.sumsRows == false)
        #expect(try flags() == 1)
        _ = try device.noteRowSum(at: instant(2))
        #expect(device.sumsRows == true)
        #expect(try flags() == 3)
        #expect(try wrapProbe(device, .whenUnlocked) == probe)
        let noted = storage.stamp(of: .keybag)
        _ = try device.noteRowSum(at: instant(3))
        #expect(storage.stamp(of: .keybag) == noted)
    }

    @Test func `stays through passcodes and a factory reset`() throws {
        var device = try openDevice(storage)
        _ = try device.setPasscode(passcode("1").secret, current: nil, at: instant(0))
        #expect(device.sumsRows == true)
        _ = try device.removePasscode(current: passcode("1").secret, at: instant(1))
        #expect(device.sumsRows == true)
        _ = try device.erase(at: instant(2))
        #expect(device.sumsRows == true)
        #expect(try flags() == 2)
    }

    @Test func `is not made when it cannot be kept`() throws {
        _ = try openDevice(storage)
        try age()
        var device = try openDevice(FailingStorage(storage, allowingWrites: 0, isReadable: true))
        #expect(throws: DeviceError.self) { try device.noteRowSum(at: instant(1)) }
        #expect(device.sumsRows == false)
        #expect(try flags() == 0)
    }
}
