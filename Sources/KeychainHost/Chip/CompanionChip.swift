import DataProtection
import KeychainModel
import ProgramStart
import Secrets

// Law: no program of this package loads the libraries of a chip into its own process, because the
// chip's address decides what they load. `keychain-tpm` loads them, without any rights.

/// The machine's TPM, driven by a program that is started for each call.
///
/// - Source: Documentation/Spec/tpm.md.
package struct CompanionChip: SecureChip {
    /// The name of the program, which is beside that of this process.
    package static let programName = "keychain-tpm"
    /// The limits of one call; a busy TPM may take several seconds.
    private static let limits = RunLimits(
        time: .seconds(120),
        byteCount: ChipReply.byteCountLimit
    )

    private static let codeByteCount = 32

    private let place: String
    private let program: String

    package init(place: String, program: String) {
        self.place = place
        self.program = program
    }

    /// Lets this process open and create keychains on a TPM.
    package static func register(_ environment: ProcessEnvironment = .current) {
        let program = environment.executableDirectory + "/" + programName
        let chip: SecureElements.ChipFactory = { place in
            CompanionChip(place: place, program: program)
        }
        SecureElements.registerChip(SecureElementKind.tpm, chip)
        SecureElements.register(SecureElementKind.tpm) { place, storage in
            ChipSecureElement(chip: chip(place), storage: storage)
        }
    }

    package var kind: String { SecureElementKind.tpm }

    package func makeKey() throws(DeviceError) -> [UInt8] {
        let key = try ask(ChipRequest(makeKeyAt: place))
        return key.secret.copyBytesUnprotected()
    }

    package func authenticate(
        _ message: borrowing Secret,
        under key: [UInt8]
    ) throws(DeviceError) -> Secret {
        let code = try ask(ChipRequest(authenticating: message, under: key, at: place))
        guard code.secret.byteCount == Self.codeByteCount else {
            throw failure("returned less than was requested")
        }
        return code.secret.withUnsafeBytes { Secret(copying: $0) }
    }

    private func ask(_ request: ChipRequest) throws(DeviceError) -> SharedSecret {
        // A log of libtss2 would show the data for the TPM; a TCTI may start system programs.
        let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TSS2_LOG=all+none"]
        let plan = ProgramPlan(program, environment: environment)
        let message = try request.encoded()
        let outcome: SecretOutcome
        do throws(StartFailure) {
            outcome = try plan.runForSecret(input: message, within: Self.limits)
        } catch { throw .element(reason: error.description) }
        switch outcome.end {
        case .exited(0): break
        case .late: throw failure("did not answer within two minutes")
        default: throw failure("failed")
        }
        let reply = try outcome.output.withUnsafeBytes { bytes throws(DeviceError) in
            try ChipReply(decoding: bytes)
        }
        switch reply {
        case .done(let result): return result
        case .failed(let reason): throw .element(reason: reason)
        }
    }

    private func failure(_ what: String) -> DeviceError {
        .element(reason: "\(program) \(what), for the TPM at \(place)")
    }
}
