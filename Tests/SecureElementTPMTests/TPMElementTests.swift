import Cryptography
import Glibc
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import SecureElementTPM

/// An element on a TPM, as a program of its own would have it.
func element(on tpm: TestTPM, _ storage: MemoryStorage) -> ChipSecureElement {
    ChipSecureElement(chip: TPMChip(place: tpm.place), storage: storage)
}

@Suite struct `What the tests of the TPM need` {
    @Test func `is swtpm, which the set-up installs`() {
        #expect(TestTPM.program != nil, "swtpm is not installed: run Scripts/setup.sh")
    }
}

@Suite(.enabled(if: TestTPM.program != nil, "swtpm is not installed: run Scripts/setup.sh"))
struct `A TPM as the secure element` {
    private let tpm: TestTPM
    private let storage = MemoryStorage()
    private let element: ChipSecureElement

    init() throws {
        tpm = try TestTPM()
        element = SecureElementTPMTests.element(on: tpm, storage)
        try element.prepare()
    }

    private func tangle(
        _ input: [UInt8] = [1],
        _ salt: [UInt8] = [2],
        _ context: String = "a"
    ) throws -> [UInt8] {
        try element.tangle(Secret(copying: input), salt: salt, context: context)
            .copyBytesUnprotected()
    }

    @Test func `gives the same keys after a restart, and says what it is`() throws {
        let key = try tangle()
        #expect(key.count == 32)
        try tpm.restart()
        #expect(try tangle() == key)
        try SecureElementTPMTests.element(on: tpm, storage).prepare()
        #expect(try tangle() == key)
        #expect(element.kind == "tpm2")
        #expect(try SecureElementKind.recorded(in: storage) == "tpm2")
    }

    @Test func `gives other keys for another input, salt or context`() throws {
        let long = [UInt8](repeating: 1, count: 5000)
        let keys = [
            try tangle(), try tangle([9]), try tangle([1], [9]), try tangle([1], [2], "b"),
            try tangle([]), try tangle(long), try tangle(long + [1]), try tangle([1], long),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test func `gives other keys after it was erased`() throws {
        let key = try tangle()
        try element.recordAttempts(PasscodeAttempts(failures: 3, delayStartedAt: nil))
        try element.erase()
        #expect(try tangle() != key)
        #expect(try element.attempts() == .none)
    }

    @Test func `is refused by another TPM, and nothing is deleted`() throws {
        let file = storage.read(.secureElement)
        let otherTPM = try TestTPM()
        defer { otherTPM.stop() }
        let other = SecureElementTPMTests.element(on: otherTPM, storage)
        #expect(try reason { _ = try other.attempts() }.contains("is not the one that made"))
        #expect(try reason { try other.prepare() }.contains("is not the one that made"))
        #expect(try reason { _ = try other.tangle(salt: [], context: "a") }.contains("not the one"))
        #expect(storage.read(.secureElement) == file)
        _ = try tangle()
    }

    @Test func `keeps the attempt counter over a restart`() throws {
        let start = DeviceInstant(bootID: [UInt8](repeating: 9, count: 16), uptime: .seconds(5))
        let attempts = PasscodeAttempts(failures: 6, delayStartedAt: start)
        try element.recordAttempts(attempts)
        try tpm.restart()
        #expect(try element.attempts() == attempts)
    }

    @Test func `keeps enrolments, whose key is in the file only wrapped`() throws {
        let templates = [[UInt8](repeating: 7, count: EnrolmentSet.templateByteCount)]
        let set = try EnrolmentSet(of: templates, random: SeededRandomSource(seed: 4))
            .counting(failures: 2)
        #expect(try element.enrolments() == nil)
        try element.record(set)
        try element.recordAttempts(PasscodeAttempts(failures: 1, delayStartedAt: nil))
        try tpm.restart()
        let read = try #require(try element.enrolments())
        #expect(read.id == set.id && read.templates == templates && read.failures == 2)
        let isSameKey = read.privateKey.secret.constantTimeEquals(set.privateKey.secret)
        #expect(isSameKey)
        let key = set.privateKey.secret.copyBytesUnprotected()
        let file = try #require(storage.read(.secureElement))
        #expect(!(0...(file.count - 32)).contains { Array(file[$0..<($0 + 32)]) == key })
    }

    /// Each byte in one of eight runs of the test, for a TPM takes its time over each.
    @Test(arguments: [Int(getpid()) % 8])
    func `refuses its file with any byte changed, and leaves it as it is`(first: Int) throws {
        let bytes = try #require(storage.read(.secureElement))
        let every = stride(from: first, to: bytes.count, by: 8)
        let spoiled = SpoiledBytes.flipped(bytes, 0x40)
        let flipped = every.map { spoiled[$0] }
        let cut = [bytes.dropLast(), bytes.dropLast(32), bytes.dropLast(33)].map { [UInt8]($0) }
        let accepted = (flipped + cut + [bytes + [0], []]).filter { changed in
            storage.replace(.secureElement, with: changed)
            let isRefused = failure { try element.attempts() } is DeviceError
            let isKept = failure { try element.recordAttempts(.none) } is DeviceError
            return !isRefused || !isKept || storage.read(.secureElement) != changed
        }
        #expect(accepted == [])
    }

    @Test func `holds a device that locks and unlocks`() throws {
        let storage = MemoryStorage()
        let passcode = SharedSecret(Secret(copying: [UInt8]("1234".utf8)))
        var device = try open(storage, creatingWith: passcode)
        let isOpenAtFirst = device.isProtectedDataAvailable
        _ = try device.unlock(passcode: passcode.secret, at: moment(1))
        let isOpenUnlocked = device.isProtectedDataAvailable
        _ = try device.lock(at: moment(2))
        let isOpenLocked = device.isProtectedDataAvailable
        #expect(!isOpenAtFirst)
        #expect(isOpenUnlocked)
        #expect(!isOpenLocked)
        do throws(DeviceError) {
            _ = try device.unlock(passcode: Secret(copying: [1]), at: moment(3))
            Issue.record("a wrong passcode unlocks")
        } catch {
            #expect(error == .wrongPasscode(attemptsMade: 1, delay: .zero))
        }
        try tpm.restart()
        var again = try open(storage, creatingWith: nil)
        let failures = try again.attemptStatus(at: moment(4)).failures
        _ = try again.unlock(passcode: passcode.secret, at: moment(4))
        let isOpenAgain = again.isProtectedDataAvailable
        let kind = again.elementKind
        #expect(failures == 1 && isOpenAgain && kind == "tpm2")
    }

    private func open(
        _ storage: MemoryStorage,
        creatingWith passcode: SharedSecret?
    ) throws -> Device {
        try Device(
            opening: storage,
            element: SecureElementTPMTests.element(on: tpm, storage),
            creatingWith: passcode,
            stretchingCost: { Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: 1) },
            random: SeededRandomSource(seed: 1),
            at: moment(0)
        )
    }

    private func moment(_ seconds: Int) -> DeviceInstant {
        DeviceInstant(bootID: [UInt8](repeating: 1, count: 16), uptime: .seconds(seconds))
    }
}

/// The reason with which the secure element refuses.
func reason(_ body: () throws -> Void) throws -> String {
    let error = #expect(throws: DeviceError.self, performing: body)
    guard case .element(let reason) = error else {
        Issue.record("\(String(describing: error))")
        return ""
    }
    return reason
}
