/// Finds out how often a password would be hashed, before it is.
///
/// A file may ask for billions of rounds; whoever opens it would wait for hours.
enum PasswordIterations {
    /// The most rounds that are accepted; an honest file asks for a few thousand to a million.
    static let limit = 5_000_000

    /// The most 128-byte blocks that scrypt may fill: 256 MiB.
    private static let scryptBlockLimit = 1 << 21

    /// Tells whether password-based encryption stays within the limits.
    ///
    /// - Parameter der: Its AlgorithmIdentifier.
    /// - Returns: `false` also for an identifier whose parameters cannot be read.
    static func areAcceptable(_ der: [UInt8]) -> Bool {
        do throws(CryptographyError) {
            var outer = DERReader(der[...])
            return try check(outer.enter(DERTag.sequence), mayBePBES2: true)
        } catch {
            return false
        }
    }

    /// PBES2 (RFC 8018 A.4).
    private static let pbes2: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]
    /// Scrypt (RFC 7914 §7).
    private static let scrypt: [UInt8] = [
        0x2B, 0x06, 0x01, 0x04, 0x01, 0xDA, 0x47, 0x04, 0x0B,
    ]

    private static func check(
        _ identifier: DERReader<ArraySlice<UInt8>>,
        mayBePBES2: Bool
    ) throws(CryptographyError) -> Bool {
        var fields = identifier
        let algorithm = [UInt8](try fields.read(DERTag.objectIdentifier))
        var parameters = try fields.enter(DERTag.sequence)
        switch algorithm {
        case pbes2 where mayBePBES2:
            return try check(parameters.enter(DERTag.sequence), mayBePBES2: false)
        case scrypt:
            _ = try parameters.read(DERTag.octetString)
            let cost = try number(in: &parameters)
            let blockSize = try number(in: &parameters)
            let parallelization = try number(in: &parameters)
            return cost * blockSize * parallelization <= scryptBlockLimit
        default:
            // PBKDF2-params and the parameters of PKCS#12 and PBES1 begin alike.
            _ = try parameters.read(DERTag.octetString)
            return try number(in: &parameters) <= limit
        }
    }

    /// A number, cut off where three of them can still be multiplied.
    private static func number(
        in reader: inout DERReader<ArraySlice<UInt8>>
    ) throws(CryptographyError) -> Int {
        let digits = try reader.readUnsignedInteger()
        guard digits.count <= 3 else { return 0xFF_FFFF }
        return digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
