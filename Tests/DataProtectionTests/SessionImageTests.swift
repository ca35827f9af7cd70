import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

@Suite struct `A session image` {
    private let storage = MemoryStorage()

    private func unlockedDevice() throws -> Device {
        var device = try openDevice(storage, creatingWith: passcode("1234"))
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
        return device
    }

    @Test func `hands an unlocked session to another process`() throws {
        let first = try unlockedDevice()
        let image = try #require(try first.sessionImage(at: instant(2)))
        var second = try openDevice(storage)
        #expect(
            try second.adopt(sessionImage: image, at: instant(3))
                == [.protectedDataDidBecomeAvailable]
        )
        #expect(second.state.lockState == .unlocked)
        for protectionClass in ProtectionClass.allCases {
            #expect(try wrapProbe(second, protectionClass) == wrapProbe(first, protectionClass))
        }
    }

    @Test func `hands a lock on, which evicts elsewhere`() throws {
        var first = try unlockedDevice()
        var second = try openDevice(storage)
        _ = try second.adopt(sessionImage: first.sessionImage(at: instant(2)), at: instant(2))
        _ = first.lock(at: instant(3))
        #expect(
            try second.adopt(sessionImage: first.sessionImage(at: instant(3)), at: instant(4))
                == [.protectedDataWillBecomeUnavailable]
        )
        #expect(second.state.lockState == .locked)
        #expect(openClasses(second) == ["ck", "dk", "cku", "dku"])
        _ = try second.adopt(sessionImage: nil, at: instant(5))
        #expect(second.state.lockState == .beforeFirstUnlock)
        #expect(openClasses(second) == ["dk", "dku"])
    }

    @Test func `carries the end of the grace period`() throws {
        var first = try unlockedDevice()
        _ = first.lock(grace: .seconds(10), at: instant(10))
        let image = try first.sessionImage(at: instant(11))
        var second = try openDevice(storage)
        _ = try second.adopt(sessionImage: image, at: instant(12))
        #expect(second.isProtectedDataAvailable == true)
        _ = second.advance(to: instant(20))
        #expect(second.isProtectedDataAvailable == false)
        var third = try openDevice(storage)
        _ = try third.adopt(sessionImage: image, at: instant(21))
        #expect(third.isProtectedDataAvailable == false)
        #expect(third.state.lockState == .locked)
    }

    @Test func `survives a passcode change but not a new passcode`() throws {
        var first = try unlockedDevice()
        let image = try first.sessionImage(at: instant(2))
        _ = try first.setPasscode(
            passcode("5").secret,
            current: passcode("1234"),
            at: instant(3)
        )
        var second = try openDevice(storage)
        _ = try second.adopt(sessionImage: image, at: instant(4))
        #expect(second.state.lockState == .unlocked)
        _ = try first.removePasscode(current: passcode("5").secret, at: instant(5))
        #expect(try first.sessionImage(at: instant(5)) == nil)
        _ = try first.setPasscode(passcode("6").secret, current: nil, at: instant(6))
        var third = try openDevice(storage)
        _ = try third.adopt(sessionImage: image, at: instant(7))
        #expect(third.state.lockState == .beforeFirstUnlock)
    }

    @Test func `counts as none in another boot`() throws {
        let image = try unlockedDevice().sessionImage(at: instant(2))
        var second = try openDevice(storage)
        _ = try second.adopt(sessionImage: image, at: instant(3, boot: 2))
        #expect(second.state.lockState == .beforeFirstUnlock)
    }

    @Test func `opens nothing when a byte is missing or differs`() throws {
        let image = try #require(try unlockedDevice().sessionImage(at: instant(2)))
        #expect(image.count == 373)
        let element = SoftwareSecureElement(storage: storage, random: ExhaustedRandomSource())
        let bytes = try #require(storage.read(.keybag))
        var keybag = try Keybag(decoding: bytes, path: "keybag", element: element)
        for changed in SpoiledBytes.all(of: image, flipping: 0x01) {
            let error = #expect(throws: DeviceError.self) {
                try keybag.adopt(sessionImage: changed, bootID: instant(0).bootID)
            }
            guard case .sessionUnusable = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(keybag.isAvailable(.afterFirstUnlock) == false)
        }
    }
}
