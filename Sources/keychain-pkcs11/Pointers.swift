import PKCS11Token
import Secrets

@_implementationOnly import CPKCS11

// A caller's arguments are checked here once. Every count has a limit, and NULL is never followed.
// Other pointers are trusted.

/// The arguments of a caller.
enum Argument {
    /// The greatest size of an input in bytes; a greater one is the caller's mistake.
    private static let byteCountLimit: UInt = 1 << 32

    /// Returns the bytes at a pointer.
    ///
    /// - Throws: `argumentsBad` for NULL with a size; `dataLengthRange`.
    static func bytes(
        _ start: UnsafeRawPointer?,
        _ count: UInt
    ) throws(ReturnCode) -> UnsafeRawBufferPointer {
        guard count > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        guard let start else { throw .argumentsBad }
        guard count <= byteCountLimit else { throw .dataLengthRange }
        return UnsafeRawBufferPointer(start: start, count: Int(count))
    }

    /// Returns a pointer that must not be NULL.
    ///
    /// - Throws: `argumentsBad` if it is NULL.
    static func required<Pointer>(_ pointer: Pointer?) throws(ReturnCode) -> Pointer {
        guard let pointer else { throw .argumentsBad }
        return pointer
    }

    /// Reads a template.
    ///
    /// - Throws: `argumentsBad`, `attributeValueInvalid`, `templateInconsistent`.
    static func template(
        _ start: UnsafeMutableRawPointer?,
        _ count: UInt
    ) throws(ReturnCode) -> Template {
        var template = Template()
        var byteCount = 0
        for row in try attributes(start, count, limit: UInt(Template.countLimit)) {
            let type = AttributeType(rawValue: row.type)
            guard row.ulValueLen <= UInt(Template.valueByteCountLimit),
                row.pValue != nil || row.ulValueLen == 0
            else { throw .attributeValueInvalid }
            byteCount += Int(row.ulValueLen)
            guard byteCount <= Template.byteCountLimit else { throw .attributeValueInvalid }
            let bytes = try bytes(row.pValue, row.ulValueLen)
            try template.add(
                type,
                AttributeType.secrets.contains(type)
                    ? .secret(SharedSecret(Secret(copying: bytes))) : .bytes([UInt8](bytes))
            )
        }
        return template
    }

    /// Returns the rows of an array of attributes.
    static func attributes(
        _ start: UnsafeMutableRawPointer?,
        _ count: UInt,
        limit: UInt
    ) throws(ReturnCode) -> UnsafeMutableBufferPointer<CK_ATTRIBUTE> {
        guard count > 0 else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
        guard let start, count <= limit else { throw .argumentsBad }
        return UnsafeMutableBufferPointer(
            start: start.assumingMemoryBound(to: CK_ATTRIBUTE.self),
            count: Int(count)
        )
    }

    /// Reads a mechanism with its parameter.
    ///
    /// - Throws: `argumentsBad`, `mechanismInvalid`, `mechanismParameterInvalid`.
    static func mechanism(_ start: UnsafeMutableRawPointer?) throws(ReturnCode) -> MechanismCall {
        guard let start else { throw .argumentsBad }
        let row = start.assumingMemoryBound(to: CK_MECHANISM.self).pointee
        guard let mechanism = Mechanism.named(row.mechanism) else { throw .mechanismInvalid }
        let form = mechanism.parameterForm
        guard row.ulParameterLen > 0 || form != .none else { return MechanismCall(row.mechanism) }
        guard let parameter = row.pParameter, row.ulParameterLen == byteCount(of: form) else {
            throw .mechanismParameterInvalid
        }
        return MechanismCall(row.mechanism, try read(parameter, form))
    }

    private static func byteCount(of form: Mechanism.ParameterForm) -> UInt? {
        switch form {
        case .none: nil
        case .pss: UInt(MemoryLayout<CK_RSA_PKCS_PSS_PARAMS>.size)
        case .oaep: UInt(MemoryLayout<CK_RSA_PKCS_OAEP_PARAMS>.size)
        case .agreement: UInt(MemoryLayout<CK_ECDH1_DERIVE_PARAMS>.size)
        case .vector: UInt(vectorByteCount)
        case .counter: UInt(MemoryLayout<CK_AES_CTR_PARAMS>.size)
        case .authenticated: UInt(MemoryLayout<CK_GCM_PARAMS>.size)
        case .data: UInt(MemoryLayout<CK_KEY_DERIVATION_STRING_DATA>.size)
        case .chainedData: UInt(MemoryLayout<CK_AES_CBC_ENCRYPT_DATA_PARAMS>.size)
        }
    }

    /// The size of an initialization vector of AES.
    private static let vectorByteCount = 16

    /// The greatest size of the data in a parameter, in bytes.
    private static let parameterByteCountLimit: UInt = 4096

    private static func read(
        _ start: UnsafeMutableRawPointer,
        _ form: Mechanism.ParameterForm
    ) throws(ReturnCode) -> MechanismCall.Parameter {
        switch form {
        case .none: return .other
        case .pss:
            let row = start.loadUnaligned(as: CK_RSA_PKCS_PSS_PARAMS.self)
            return .pss(hash: row.hashAlg, mask: row.mgf, saltByteCount: row.sLen)
        case .oaep:
            let row = start.loadUnaligned(as: CK_RSA_PKCS_OAEP_PARAMS.self)
            return .oaep(
                hash: row.hashAlg,
                mask: row.mgf,
                source: row.source,
                label: try part(row.pSourceData, row.ulSourceDataLen)
            )
        case .agreement:
            let row = start.loadUnaligned(as: CK_ECDH1_DERIVE_PARAMS.self)
            return .agreement(
                derivation: row.kdf,
                shared: try part(row.pSharedData, row.ulSharedDataLen),
                publicKey: try part(row.pPublicData, row.ulPublicDataLen)
            )
        case .vector, .counter, .authenticated, .data, .chainedData:
            return try readCipher(start, form)
        }
    }

    /// Reads the parameter of an AES mechanism.
    private static func readCipher(
        _ start: UnsafeMutableRawPointer,
        _ form: Mechanism.ParameterForm
    ) throws(ReturnCode) -> MechanismCall.Parameter {
        switch form {
        case .vector:
            return .vector([UInt8](UnsafeRawBufferPointer(start: start, count: vectorByteCount)))
        case .counter:
            let row = start.loadUnaligned(as: CK_AES_CTR_PARAMS.self)
            return .counter(
                bitCount: row.ulCounterBits,
                block: withUnsafeBytes(of: row.cb) { Array($0) }
            )
        case .authenticated:
            let row = start.loadUnaligned(as: CK_GCM_PARAMS.self)
            return .authenticated(
                nonce: try part(row.pIv, row.ulIvLen),
                data: try part(row.pAAD, row.ulAADLen, limit: UInt(Template.valueByteCountLimit)),
                tagBitCount: row.ulTagBits
            )
        case .data:
            let row = start.loadUnaligned(as: CK_KEY_DERIVATION_STRING_DATA.self)
            return .encrypted(vector: [], data: try part(row.pData, row.ulLen))
        case .chainedData:
            let row = start.loadUnaligned(as: CK_AES_CBC_ENCRYPT_DATA_PARAMS.self)
            return .encrypted(
                vector: withUnsafeBytes(of: row.iv) { Array($0) },
                data: try part(row.pData, row.length)
            )
        case .none, .pss, .oaep, .agreement: return .other
        }
    }

    private static func part(
        _ start: UnsafeRawPointer?,
        _ count: UInt,
        limit: UInt = parameterByteCountLimit
    ) throws(ReturnCode) -> [UInt8] {
        guard count <= limit, start != nil || count == 0 else {
            throw .mechanismParameterInvalid
        }
        return [UInt8](try bytes(start, count))
    }
}

/// The results for a caller.
enum Delivery {
    /// Writes the bytes of an operation, or their size.
    ///
    /// - Parameters:
    ///   - buffer: The caller's buffer; NULL to query the size.
    ///   - count: The size of the buffer; then the size of the result.
    ///   - work: Receives the size of the buffer, or nil for a query.
    /// - Throws: `bufferTooSmall`; `argumentsBad` without a count.
    static func output(
        _ buffer: UnsafeMutablePointer<UInt8>?,
        _ count: UnsafeMutablePointer<UInt>?,
        _ work: (_ capacity: Int?) throws(ReturnCode) -> Output
    ) throws(ReturnCode) {
        guard let count else { throw .argumentsBad }
        let capacity = buffer.map { _ in Int(clamping: count.pointee) }
        switch try work(capacity) {
        case .size(let byteCount): count.pointee = UInt(byteCount)
        case .tooSmall(let byteCount):
            count.pointee = UInt(byteCount)
            throw .bufferTooSmall
        case .bytes(let output):
            guard let buffer else { throw .argumentsBad }
            output.secret.withUnsafeBytes { bytes in
                UnsafeMutableRawPointer(buffer).copyMemory(from: bytes)
            }
            count.pointee = UInt(output.secret.byteCount)
        }
    }

    /// Writes a list of numbers, or its length.
    ///
    /// - Throws: `bufferTooSmall`; `argumentsBad` without a count.
    static func list(
        _ numbers: [UInt],
        _ buffer: UnsafeMutablePointer<UInt>?,
        _ count: UnsafeMutablePointer<UInt>?
    ) throws(ReturnCode) {
        guard let count else { throw .argumentsBad }
        let room = count.pointee
        count.pointee = UInt(numbers.count)
        guard let buffer else { return }
        guard room >= UInt(numbers.count) else { throw .bufferTooSmall }
        buffer.update(from: numbers, count: numbers.count)
    }

    /// Writes a text into a field, padded with spaces.
    ///
    /// A text that is too long loses whole characters.
    static func text(_ text: String, in field: UnsafeMutableRawBufferPointer) {
        field.initializeMemory(as: UInt8.self, repeating: 0x20)
        var fitting = text
        while fitting.utf8.count > field.count { fitting.removeLast() }
        field.copyBytes(from: fitting.utf8)
    }

    /// Writes the value of an attribute.
    ///
    /// - Returns: The error; nil if there is none.
    static func attribute(_ reply: AttributeReply, _ row: inout CK_ATTRIBUTE) -> ReturnCode? {
        switch reply {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { value($0, &row) }
        case .secret(let secret):
            return secret.secret.withUnsafeBytes { value($0, &row) }
        case .sensitive:
            row.ulValueLen = .max
            return .attributeSensitive
        case .unknown:
            row.ulValueLen = .max
            return .attributeTypeInvalid
        }
    }

    private static func value(
        _ bytes: UnsafeRawBufferPointer,
        _ row: inout CK_ATTRIBUTE
    ) -> ReturnCode? {
        guard let start = row.pValue else {
            row.ulValueLen = UInt(bytes.count)
            return nil
        }
        guard row.ulValueLen >= UInt(bytes.count) else {
            row.ulValueLen = .max
            return .bufferTooSmall
        }
        start.copyMemory(from: bytes)
        row.ulValueLen = UInt(bytes.count)
        return nil
    }
}

extension UnsafeMutableRawPointer {
    /// Copies bytes; also accepts an empty buffer.
    fileprivate func copyMemory(from bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        copyMemory(from: source, byteCount: bytes.count)
    }
}
