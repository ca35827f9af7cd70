import Secrets

@_implementationOnly import CCrypto

/// A reader of a PKCS#12 file that uses libcrypto.
final class PKCS12Reader {
    /// The deepest nesting of safes.
    private static let depthLimit = 8

    private let pointer: OpaquePointer

    /// Reads the outer structure.
    ///
    /// - Throws: `damaged` if the bytes are not PKCS#12 or more follow; `backend` when memory is
    ///   short.
    init(_ der: [UInt8]) throws(PKCS12Error) {
        forgetEarlierErrors()
        let library = LegacyLibrary.shared.pointer
        var file = PKCS12_init_ex(NID_pkcs7_data, library, nil)
        guard file != nil else { throw .backend("out of memory") }
        let isWhole = der.withUnsafeBufferPointer { bytes in
            var cursor = bytes.baseAddress
            let end = bytes.baseAddress?.advanced(by: bytes.count)
            return d2i_PKCS12(&file, &cursor, bytes.count) != nil && cursor == end
        }
        forgetEarlierErrors()
        guard isWhole, let file else {
            PKCS12_free(file)
            throw .damaged
        }
        pointer = file
    }

    deinit {
        PKCS12_free(pointer)
    }

    /// Checks the password and reads the content.
    ///
    /// - Throws: `PKCS12Error`.
    func read(_ password: borrowing Secret) throws(PKCS12Error) -> PKCS12Contents {
        forgetEarlierErrors()
        defer { forgetEarlierErrors() }
        return try PKCS12Password.withForms(of: password) { forms throws(PKCS12Error) in
            guard PKCS12_mac_present(pointer) == 1 else { return try readUnchecked(forms) }
            try checkMACIterations()
            guard let form = forms.first(where: isAuthentic) else {
                guard ERR_peek_error() != 0 else { throw .wrongPassword }
                throw .takeLibcryptoFailure(or: .damaged)
            }
            return try contents(form, whenUnopened: .damaged)
        }
    }

    private func isAuthentic(_ password: PKCS12Password) -> Bool {
        PKCS12_verify_mac(pointer, password.pointer, password.byteCount) == 1
    }

    /// Tries the forms of the password one by one, because there is no MAC.
    private func readUnchecked(
        _ forms: [PKCS12Password]
    ) throws(PKCS12Error) -> PKCS12Contents {
        var failure = PKCS12Error.wrongPassword
        for form in forms {
            do throws(PKCS12Error) {
                return try contents(form, whenUnopened: .wrongPassword)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func checkMACIterations() throws(PKCS12Error) {
        var iterations: UnsafePointer<ASN1_INTEGER>?
        PKCS12_get0_mac(nil, nil, nil, &iterations, pointer)
        guard let iterations else { return }
        guard (1...PasswordIterations.limit).contains(ASN1_INTEGER_get(iterations)) else {
            throw .unsupported("number of iterations")
        }
    }

    private func contents(
        _ password: PKCS12Password,
        whenUnopened: PKCS12Error
    ) throws(PKCS12Error) -> PKCS12Contents {
        guard let list = PKCS12_unpack_authsafes(pointer) else { throw .damaged }
        let safes = OwnedStack(owning: list, freeElement: ccrypto_free_pkcs7)
        var reader = SafeBagReader(password: password, whenUnopened: whenUnopened)
        for safe in safes.elements {
            let bags = try bags(in: safe.assumingMemoryBound(to: PKCS7.self), &reader)
            try reader.read(bags.elements, depthLimit: Self.depthLimit)
        }
        return withExtendedLifetime(safes) { reader.contents }
    }

    private func bags(
        in safe: UnsafeMutablePointer<PKCS7>,
        _ reader: inout SafeBagReader
    ) throws(PKCS12Error) -> OwnedStack {
        let list: OpaquePointer?
        switch OBJ_obj2nid(safe.pointee.type) {
        case NID_pkcs7_data: list = PKCS12_unpack_p7data(safe)
        case NID_pkcs7_encrypted:
            guard
                let content = safe.pointee.d.encrypted?.pointee.enc_data,
                let algorithm = content.pointee.algorithm, content.pointee.enc_data != nil
            else { throw .damaged }
            try reader.spendIterations(on: algorithm)
            let password = reader.password
            list = PKCS12_unpack_p7encdata(safe, password.pointer, password.byteCount)
        default: throw .unsupported("protection by public keys")
        }
        guard let list else { throw .takeLibcryptoFailure(or: reader.whenUnopened) }
        return OwnedStack(owning: list, freeElement: ccrypto_free_safe_bag)
    }
}
