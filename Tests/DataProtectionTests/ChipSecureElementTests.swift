import Cryptography
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// A chip in this process, whose seed no other one has.
struct TestChip: SecureChip {
    var kind = "test"
    var seed: UInt8 = 1

    func makeKey() -> [UInt8] { [seed, 1, 2, 3] }

    func authenticate(
        _ message: borrowing Secret,
        under key: [UInt8]
    ) throws(DeviceError) -> Secret {
        guard key == makeKey(), message.byteCount <= 128 else {
            throw .element(reason: "not a key of this chip")
        }
        let bytes = message.copyBytesUnprotected()
        return try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            Secret(copying: try HMACSHA256.authenticate(bytes, key: Secret(copying: [seed])))
        }
    }
}

@Suite struct `A secure element on a chip` {
    private let storage = MemoryStorage()
    private let element: ChipSecureElement

    init() throws {
        element = ChipSecureElement(chip: TestChip(), storage: storage)
        try element.prepare()
    }

    @Test func `has a file of 84 bytes and the chip's key`() throws {
        let bytes = try #require(storage.read(.secureElement))
        #expect(bytes.count == 84 + 4)
        #expect(bytes.starts(with: [UInt8]("swelchip".utf8) + [0, 1] + [UInt8]("test".utf8)))
        #expect(try SecureElementKind.recorded(in: storage) == "test")
    }

    @Test func `refuses its file with any bit of a byte changed, cut or longer`() throws {
        let bytes = try #require(storage.read(.secureElement))
        let accepted = SpoiledBytes.all(of: bytes).filter { changed in
            storage.replace(.secureElement, with: changed)
            let isRefused = failure { try element.attempts() } is DeviceError
            let isKept = failure { try element.prepare() } is DeviceError
            return !isRefused || !isKept || storage.read(.secureElement) != changed
        }
        #expect(accepted == [])
    }

    @Test func `keeps counter and enrolments side by side`() throws {
        let start = instant(5, boot: 9).advanced(by: .nanoseconds(7))
        let attempts = PasscodeAttempts(failures: 6, delayStartedAt: start)
        let templates = (1...3).map { number in
            [UInt8](repeating: UInt8(number), count: EnrolmentSet.templateByteCount)
        }
        let set = try EnrolmentSet(of: templates, random: SeededRandomSource(seed: 4))
        try element.record(set.counting(failures: 2))
        try element.recordAttempts(attempts)
        let read = try #require(try element.enrolments())
        #expect(try element.attempts() == attempts)
        #expect(read.id == set.id && read.templates == templates && read.failures == 2)
        let isSameKey = read.privateKey.secret.constantTimeEquals(set.privateKey.secret)
        #expect(isSameKey)
    }

    @Test(arguments: [TestChip(seed: 2), TestChip(kind: "other")])
    func `is refused by another chip and by another kind, and stays as it is`(
        chip: TestChip
    ) throws {
        let file = storage.read(.secureElement)
        let other = ChipSecureElement(chip: chip, storage: storage)
        #expect(throws: DeviceError.self) { try other.attempts() }
        #expect(throws: DeviceError.self) { try other.prepare() }
        #expect(throws: DeviceError.self) { _ = try other.tangle(salt: [], context: "a") }
        #expect(storage.read(.secureElement) == file)
    }

    @Test func `does not read the software's file, nor the software its`() throws {
        let software = SoftwareSecureElement(
            storage: storage,
            random: SeededRandomSource(seed: 3)
        )
        #expect(throws: DeviceError.self) { try software.attempts() }
        try software.erase()
        #expect(throws: DeviceError.self) { try element.attempts() }
        #expect(try SecureElementKind.recorded(in: storage) == "software")
        storage.remove(.secureElement)
        #expect(try SecureElementKind.recorded(in: storage) == nil)
        #expect(throws: DeviceError.missing(path: "memory:secure-element")) {
            try element.attempts()
        }
    }
}
