import Cryptography
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// A random source that has nothing to give.
struct ExhaustedRandomSource: RandomSource {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptographyError) {
        throw .backend("no randomness")
    }
}

@Suite struct `The software secure element` {
    private let storage: MemoryStorage
    private let element: SoftwareSecureElement

    init() throws {
        storage = MemoryStorage()
        element = SoftwareSecureElement(storage: storage, random: SeededRandomSource(seed: 3))
        try element.prepare()
    }

    @Test(.requirement("ACC-01")) func `tangles by UID key, input, salt and context`() throws {
        func tangle(_ input: [UInt8], _ salt: [UInt8], _ context: String) throws -> [UInt8] {
            try element.tangle(Secret(copying: input), salt: salt, context: context)
                .copyBytesUnprotected()
        }
        let key = try tangle([1], [2], "a")
        #expect(key.count == 32)
        #expect(try tangle([1], [2], "a") == key)
        #expect(try tangle([9], [2], "a") != key)
        #expect(try tangle([1], [9], "a") != key)
        #expect(try tangle([1], [2], "b") != key)
        try element.recordAttempts(PasscodeAttempts(failures: 3, delayStartedAt: nil))
        try element.prepare()
        #expect(try tangle([1], [2], "a") == key)
        try element.erase()
        #expect(try tangle([1], [2], "a") != key)
    }

    @Test func `keeps the attempt counter`() throws {
        let start = instant(5, boot: 9).advanced(by: .nanoseconds(7))
        let attempts = PasscodeAttempts(failures: 6, delayStartedAt: start)
        try element.recordAttempts(attempts)
        #expect(try element.attempts() == attempts)
        #expect(element.kind == "software")
    }

    @Test func `has a file of 106 bytes without enrolments, and refuses any other`() throws {
        let bytes = try #require(storage.read(.secureElement))
        #expect(bytes.count == SecureElementRecord.byteCount)
        let accepted = SpoiledBytes.all(of: bytes).filter { changed in
            storage.replace(.secureElement, with: changed)
            switch failure(of: { try element.attempts() }) as? DeviceError {
            case .damaged("memory:secure-element", _): break
            case .unsupportedVersion("memory:secure-element", _): break
            default: return true
            }
            let isKept = failure { try element.prepare() } is DeviceError
            return !isKept || storage.read(.secureElement) != changed
        }
        #expect(accepted == [])
    }

    @Test func `makes no key without randomness`() {
        let element = SoftwareSecureElement(
            storage: MemoryStorage(),
            random: ExhaustedRandomSource()
        )
        #expect(throws: DeviceError.cryptography(.backend("no randomness"))) {
            try element.prepare()
        }
    }
}
