/// The number of hashes of a password, determined before they are computed.
///
/// A file may demand billions of rounds, and opening it would then take hours.
enum PasswordIterations {
    /// The largest accepted number of rounds; an honest file demands a few thousand to a million.
    static let limit = 5_000_000

    /// The number of rounds that is left for all parts of one file.
    struct Budget {
        /// About half a minute: enough for hundreds of keys as honest files have them.
        private var left = 50_000_000

        /// Subtracts rounds.
        ///
        /// - Returns: `false`, without subtracting, if fewer are left.
        mutating func spend(_ count: Int) -> Bool {
            guard count <= left else { return false }
            left -= count
            return true
        }
    }

    /// The largest number of 128-byte blocks of scrypt: 256 MiB.
    private static let scryptBlockLimit = 1 << 21

    /// Whether password-based encryption stays within the limits.
    ///
    /// - Parameter der: Its AlgorithmIdentifier.
    /// - Returns: `false` also for an identifier whose parameters cannot be read.
    static func areAcceptable(_ der: [UInt8]) -> Bool {
        count(in: der) != nil
    }

    /// Counts the rounds of password-based encryption that stays within the limits.
    ///
    /// - Parameter der: Its AlgorithmIdentifier.
    /// - Returns: At most `limit`; for scrypt, a count that takes about as long. `nil` if
    ///   `areAcceptable` returns `false`.
    static func count(in der: [UInt8]) -> Int? {
        do throws(CryptographyError) {
            var outer = DERReader(der[...])
            return try count(outer.enter(DERTag.sequence), mayBePBES2: true)
        } catch {
            return nil
        }
    }

    /// PBES2 (RFC 8018 A.4).
    private static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    /// Scrypt (RFC 7914 §7).
    private static let scrypt: [UInt8] = [
        0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B,
    ]

    private static func count(
        _ identifier: DERReader<ArraySlice<UInt8>>,
        mayBePBES2: Bool
    ) throws(CryptographyError) -> Int? {
        var fields = identifier
        let algorithm = [UInt8](try fields.read(DERTag.objectIdentifier))
        var parameters = try fields.enter(DERTag.sequence)
        switch algorithm {
        case pbes2 where mayBePBES2:
            return try count(parameters.enter(DERTag.sequence), mayBePBES2: false)
        case scrypt:
            _ = try parameters.read(DERTag.octetString)
            var blocks = 1
            for _ in ["cost", "block size", "parallelization"] {
                blocks *= try number(in: &parameters)
                guard blocks <= scryptBlockLimit else { return nil }
            }
            return blocks * (limit / scryptBlockLimit)
        default:
            // PBKDF2-params and the parameters of PKCS#12 and PBES1 start in the same way.
            _ = try parameters.read(DERTag.octetString)
            let count = try number(in: &parameters)
            return count <= limit ? count : nil
        }
    }

    /// Returns a number, capped far above every limit and far below overflow.
    private static func number(
        in reader: inout DERReader<ArraySlice<UInt8>>
    ) throws(CryptographyError) -> Int {
        let digits = try reader.readUnsignedInteger()
        guard digits.count <= 3 else { return 0xFF_FFFF }
        return digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
