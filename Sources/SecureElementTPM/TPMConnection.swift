// Definitions  "transport": libtss2's connection to one TPM, named by a TCTI string.
// Invariants   (1) Every object that was made in the TPM is flushed before the connection ends.
//              (2) Inputs and outputs are encrypted in transit (parameter encryption).
// States       made ──open──▸ open ──makeKey, authenticate──▸ open ──deinit──▸ gone
// A connection lasts for one operation: a TPM without a resource manager has three slots for
// objects, and swtpm serves only one program at a time.

import DataProtection
import Glibc
import Secrets

@_implementationOnly import CTSS

/// A conversation with a TPM, under a storage key that the TPM derives for its duration.
struct TPMConnection: ~Copyable {
    private let library: TPMLibrary
    private let place: String
    private var transport: OpaquePointer?
    private var context: OpaquePointer?
    private var storageKey = none
    private var session = none
    private var key = none

    private static let none = ESYS_TR(ESYS_TR_NONE)

    /// Describes the connection; opens nothing yet.
    ///
    /// - Parameters:
    ///   - place: A TCTI string, such as `device:/dev/tpmrm0`.
    ///   - library: The functions to call.
    init(to place: String, library: TPMLibrary) {
        self.place = place
        self.library = library
    }

    deinit {
        // A failure is ignored, because there is nobody left to tell. A resource manager also
        // cleans up.
        for handle in [key, session, storageKey] where handle != Self.none {
            _ = library.flush(context, handle)
        }
        var context = context
        var transport = transport
        if context != nil { library.finalize(&context) }
        if transport != nil { library.closeTransport(&transport) }
    }

    /// Connects, derives the storage key, and starts the encrypted session under it.
    ///
    /// - Throws: `element` if the TPM or libtss2 fails.
    mutating func open() throws(DeviceError) {
        try require(library.openTransport(place, &transport))
        try require(library.initialize(&context, transport, nil))
        try deriveStorageKey()
        try startSession()
    }

    /// Makes an HMAC key that only this TPM can load.
    ///
    /// - Throws: `element` if the TPM or libtss2 fails.
    mutating func makeKey() throws(DeviceError) -> TPMKeyBlob {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = TPM2B_PUBLIC.hmacKey
        var outside = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        defer {
            library.free(privateArea)
            library.free(publicArea)
        }
        try require(
            library.create(
                context,
                storageKey,
                session,
                Self.none,
                Self.none,
                &sensitive,
                &template,
                &outside,
                &registers,
                &privateArea,
                &publicArea,
                nil,
                nil,
                nil
            )
        )
        guard let privateArea, let publicArea else { throw Self.emptyAnswer }
        return TPMKeyBlob(
            storageKeyName: try storageKeyName(),
            publicArea: publicArea.pointee,
            privateArea: privateArea.pointee
        )
    }

    /// Loads a key, once for each connection.
    ///
    /// - Throws: `element`, with a separate reason for a key of another TPM.
    mutating func load(_ blob: TPMKeyBlob) throws(DeviceError) {
        guard try storageKeyName() == blob.storageKeyName else {
            throw .element(
                reason: "the TPM at \(place) is not the one that made this keychain,"
                    + " or was cleared since; nothing was deleted"
            )
        }
        var privateArea = blob.privateArea
        var publicArea = blob.publicArea
        try require(
            library.load(
                context,
                storageKey,
                session,
                Self.none,
                Self.none,
                &privateArea,
                &publicArea,
                &key
            )
        )
    }

    /// Computes HMAC-SHA-256 under the loaded key.
    ///
    /// - Parameter message: The message, at most 1024 bytes.
    /// - Returns: The code, 32 bytes.
    /// - Throws: `element` if the TPM or libtss2 fails.
    borrowing func authenticate(
        _ message: borrowing Secret
    ) throws(DeviceError) -> Secret {
        var buffer = TPM2B_MAX_BUFFER()
        defer { withUnsafeMutableBytes(of: &buffer) { Self.wipe($0) } }
        guard message.byteCount <= MemoryLayout.size(ofValue: buffer.buffer) else {
            throw .element(reason: "a message is too long for the TPM")
        }
        buffer.size = UInt16(message.byteCount)
        message.withUnsafeBytes { bytes in
            withUnsafeMutableBytes(of: &buffer.buffer) { $0.copyMemory(from: bytes) }
        }
        var code: UnsafeMutablePointer<TPM2B_DIGEST>?
        defer {
            if let code {
                Self.wipe(UnsafeMutableRawBufferPointer(start: code, count: Self.digestByteCount))
            }
            library.free(code)
        }
        try require(
            library.hmac(
                context,
                key,
                session,
                Self.none,
                Self.none,
                &buffer,
                TPMI_ALG_HASH(TPM2_ALG_SHA256),
                &code
            )
        )
        guard let code, Int(code.pointee.size) == Self.codeByteCount else {
            throw Self.emptyAnswer
        }
        return withUnsafeBytes(of: &code.pointee.buffer) { bytes in
            Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.codeByteCount)))
        }
    }
}

extension TPMConnection {
    private static let codeByteCount = 32
    private static let digestByteCount = MemoryLayout<TPM2B_DIGEST>.size

    private static var emptyAnswer: DeviceError {
        .element(reason: "the TPM returned less than was requested")
    }

    /// Makes the TPM derive the storage key from its owner seed; it is always the same key.
    mutating func deriveStorageKey() throws(DeviceError) {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = TPM2B_PUBLIC.storageKey
        var outside = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        try require(
            library.createPrimary(
                context,
                ESYS_TR(ESYS_TR_RH_OWNER),
                ESYS_TR(ESYS_TR_PASSWORD),
                Self.none,
                Self.none,
                &sensitive,
                &template,
                &outside,
                &registers,
                &storageKey,
                nil,
                nil,
                nil,
                nil
            )
        )
    }

    private mutating func startSession() throws(DeviceError) {
        var cipher = TPMT_SYM_DEF()
        cipher.algorithm = TPM2_ALG_ID(TPM2_ALG_AES)
        cipher.keyBits.aes = 128
        cipher.mode.aes = TPM2_ALG_ID(TPM2_ALG_CFB)
        try require(
            library.startSession(
                context,
                storageKey,
                Self.none,
                Self.none,
                Self.none,
                Self.none,
                nil,
                TPM2_SE(TPM2_SE_HMAC),
                &cipher,
                TPMI_ALG_HASH(TPM2_ALG_SHA256),
                &session
            )
        )
        let flags =
            TPMA_SESSION(TPMA_SESSION_CONTINUESESSION) | TPMA_SESSION(TPMA_SESSION_DECRYPT)
            | TPMA_SESSION(TPMA_SESSION_ENCRYPT)
        try require(library.setSessionAttributes(context, session, flags, 0xFF))
    }

    private func storageKeyName() throws(DeviceError) -> [UInt8] {
        var name: UnsafeMutablePointer<TPM2B_NAME>?
        defer { library.free(name) }
        try require(library.name(context, storageKey, &name))
        guard let name else { throw Self.emptyAnswer }
        return withUnsafeBytes(of: &name.pointee.name) { bytes in
            [UInt8](bytes.prefix(Int(name.pointee.size)))
        }
    }

    private func require(_ code: TSS2_RC) throws(DeviceError) {
        guard code != 0 else { return }
        let decoded = library.decode(code).map { String(cString: $0) } ?? "unknown answer"
        let reason = TPMFault(code: code).reason(decoded: decoded)
        throw .element(reason: "the TPM at \(place): \(reason)")
    }

    private static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        explicit_bzero(start, bytes.count)
    }
}
