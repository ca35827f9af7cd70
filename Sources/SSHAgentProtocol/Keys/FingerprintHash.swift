import Cryptography

/// The hash of fingerprints in output for users.
///
/// - Source: ssh-keygen(1), the option -E.
package enum FingerprintHash: String, Sendable, CaseIterable {
    case sha256, md5

    /// Returns the fingerprint of a blob: the hash's name, then Base64, or pairs of digits for MD5.
    func fingerprint(of blob: [UInt8]) -> String {
        let name = rawValue.uppercased() + ":"
        guard let digest = digest(of: blob) else { return name + "?" }
        switch self {
        case .sha256: return name + SSHPublicKey.base64(digest).prefix { $0 != "=" }
        case .md5:
            let pairs = digest.map { byte in
                let digits = String(byte, radix: 16)
                return digits.utf8.count == 1 ? "0" + digits : digits
            }
            return name + pairs.joined(separator: ":")
        }
    }

    private func digest(of blob: [UInt8]) -> [UInt8]? {
        do throws(CryptographyError) {
            var hash = try RunningHash(self == .md5 ? .md5 : .sha256)
            try blob.withUnsafeBufferPointer { bytes throws(CryptographyError) in
                try hash.update(UnsafeRawBufferPointer(bytes))
            }
            return try hash.hash()
        } catch { return nil }
    }
}
