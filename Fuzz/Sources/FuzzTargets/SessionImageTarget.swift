import Cryptography
import Secrets

@testable import DataProtection

extension FuzzTarget {
    /// A session image without the authentication code at its end, which is added here.
    ///
    /// An image that is adopted opens exactly its classes, and is handed on with the same deadline.
    static let sessionImage = FuzzTarget(name: "session-image") { bytes throws(BrokenLaw) in
        let fixture = SessionFixture.shared
        let file = try authenticated(bytes) { try fixture.codeKey() }
        if let image = try? SessionImage(parsing: file) {
            let again = try? SessionImage(parsing: image.encodedFields() + file.suffix(32))
            try require(again == image, "an image that was written is read as it was")
        }
        return try fixture.adopt(bytes, file)
    }
}

/// A keybag with a passcode, and the boot that images have to be of.
struct SessionFixture: Sendable {
    static let shared = SessionFixture()

    /// The boot of every valid image.
    let bootID = [UInt8](repeating: 0xB0, count: DeviceInstant.bootIDByteCount)

    /// The nonce of every valid image's lock epoch.
    let epoch = SharedSecret(Secret(copying: [UInt8](repeating: 0xE0, count: 32)))

    /// A keybag file with the passcode `passcode` at the least cost there is.
    let keybag: [UInt8]

    private init() {
        let random = SeededRandomSource(seed: 3)
        var file: [UInt8] = []
        do throws(DeviceError) {
            var keybag = try Keybag(
                creatingWith: FixedElement(),
                random: random,
                path: "keybag"
            )
            try keybag.setPasscode(
                Secret(copying: [UInt8]("passcode".utf8)),
                proofKeys: nil,
                cost: Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: 1),
                random: random
            ) { file = $0 }
        } catch {
            preconditionFailure("The fixture's keybag cannot be made: \(error)")
        }
        keybag = file
    }

    /// The keybag as a process that starts finds it.
    func open() throws(DeviceError) -> Keybag {
        try Keybag(decoding: keybag, path: "keybag", element: FixedElement())
    }

    /// The key of the code at an image's end.
    func codeKey() throws(DeviceError) -> Secret {
        let salt = try open().uuid + bootID
        return try FixedElement().tangle(
            epoch.secret,
            salt: salt,
            context: "session authentication"
        )
    }

    /// Hands an image to a process that starts, without and with its code.
    func adopt(
        _ bare: [UInt8],
        _ file: [UInt8]
    ) throws(BrokenLaw) -> FuzzTarget.Verdict {
        let deadlines: [Duration?]
        do throws(DeviceError) {
            var keybag = try open()
            _ = try? keybag.adopt(sessionImage: bare, in: epoch, bootID: bootID)
            let adopted = try keybag.adopt(sessionImage: file, in: epoch, bootID: bootID)
            let next = try keybag.sessionImage(
                in: epoch,
                bootID: bootID,
                evictionDeadline: adopted.deadline,
                sharing: try keybag.unlockToken(
                    adopted.proofKeys,
                    random: SeededRandomSource(seed: 4)
                )
            )
            var other = try open()
            let again = try other.adopt(sessionImage: next ?? [], in: epoch, bootID: bootID)
            deadlines = [adopted.deadline, again.deadline]
        } catch {
            return try FuzzTarget.refused(error)
        }
        try require(deadlines.first == deadlines.last, "the deadline is handed on")
        return .accepted
    }
}
