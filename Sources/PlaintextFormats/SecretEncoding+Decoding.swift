import JSON
import Secrets

extension SecretEncoding {
    /// Returns the secret that encoded bytes represent; nil for bytes that are invalid in the
    /// encoding.
    func decoded(_ bytes: Slice<UnsafeRawBufferPointer>) -> SharedSecret? {
        guard self != .base64 else {
            guard let secret = Base64.decode(UnsafeRawBufferPointer(rebasing: bytes)) else {
                return nil
            }
            return SharedSecret(secret)
        }
        var isWhole = true
        let secret = bytes.secret { bytes, emit in isWhole = decode(bytes, emit) }
        return isWhole ? secret : nil
    }

    private func decode(_ bytes: Slice<UnsafeRawBufferPointer>, _ emit: (UInt8) -> Void) -> Bool {
        switch self {
        case .plain, .base64: bytes.forEach(emit)
        case .percent: return PercentEncoding.decode(bytes, emit)
        case .json: return JSONString.decode(bytes, emit)
        case .csv: Self.pairs(bytes, emit)
        case .colonFields: Self.colonFields(bytes, emit)
        case .ini: Self.ini(bytes, emit)
        case .netrc: Backslash.unescape(bytes, emit) { emit($0) }
        case .environment:
            Backslash.unescape(bytes, emit) { next in
                if !EnvironmentFile.escapable.contains(next) { emit(Self.backslash) }
                emit(next)
            }
        }
        return true
    }

    /// Decodes a doubled quotation mark to a single one.
    private static func pairs(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void
    ) {
        var rest = bytes
        while let byte = rest.popFirst() {
            emit(byte)
            if byte == UInt8(ascii: "\""), rest.first == byte { rest = rest.dropFirst() }
        }
    }

    /// Decodes a backslash and a byte to that byte.
    private static func colonFields(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void
    ) {
        var rest = bytes
        while let byte = rest.popFirst() {
            emit(byte == backslash ? rest.popFirst() ?? byte : byte)
        }
    }

    /// Decodes a backslash and a special byte to that byte; other backslashes stay.
    private static func ini(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        _ emit: (UInt8) -> Void
    ) {
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == backslash, let next = rest.first, iniSpecial.contains(next) else {
                emit(byte)
                continue
            }
            rest = rest.dropFirst()
            emit(next)
        }
    }
}
