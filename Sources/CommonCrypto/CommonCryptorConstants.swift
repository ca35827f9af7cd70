// ★ Table: the numbers of ciphers, modes and sizes.

/// The direction of a cipher: `kCCEncrypt` or `kCCDecrypt`.
public typealias CCOperation = UInt32
/// A cipher, such as `kCCAlgorithmAES`.
public typealias CCAlgorithm = UInt32
/// Padding and mode of the older functions, such as `kCCOptionPKCS7Padding`.
public typealias CCOptions = UInt32
/// The mode in which blocks are chained, such as `kCCModeCBC`.
public typealias CCMode = UInt32
/// The padding of the last block: `ccNoPadding` or `ccPKCS7Padding`.
public typealias CCPadding = UInt32
/// The order of a counter's bytes; it is always big endian.
public typealias CCModeOptions = UInt32

/// Encrypts.
public let kCCEncrypt = 0
/// Decrypts.
public let kCCDecrypt = 1

/// AES (FIPS 197), by its older name, with a key of any size.
public let kCCAlgorithmAES128 = 0
/// AES (FIPS 197), with a key of 16, 24 or 32 bytes.
public let kCCAlgorithmAES = 0
/// DES, which is broken.
public let kCCAlgorithmDES = 1
/// Triple DES with a key of 24 bytes.
public let kCCAlgorithm3DES = 2
/// CAST5 (RFC 2144).
public let kCCAlgorithmCAST = 3
/// RC4, which is broken.
public let kCCAlgorithmRC4 = 4
/// RC2, which is not supported: `kCCUnimplemented`.
public let kCCAlgorithmRC2 = 5
/// Blowfish.
public let kCCAlgorithmBlowfish = 6

/// Fills the last block (PKCS #7).
public let kCCOptionPKCS7Padding = 1
/// Encrypts each block independently, which reveals equal blocks; without it, CBC.
public let kCCOptionECBMode = 2

/// Each block independently.
public let kCCModeECB = 1
/// Cipher block chaining.
public let kCCModeCBC = 2
/// Cipher feedback of whole blocks.
public let kCCModeCFB = 3
/// A counter, for AES only.
public let kCCModeCTR = 4
/// Output feedback.
public let kCCModeOFB = 7
/// A stream of bytes, for RC4 only.
public let kCCModeRC4 = 9
/// Cipher feedback of bytes.
public let kCCModeCFB8 = 10

/// The message consists of whole blocks.
public let ccNoPadding = 0
/// The last block is filled (PKCS #7).
public let ccPKCS7Padding = 1

/// A counter in little endian order; it is ignored.
public let kCCModeOptionCTR_LE = 1
/// A counter in big endian order.
public let kCCModeOptionCTR_BE = 2

/// The size of a key of AES-128 in bytes.
public let kCCKeySizeAES128 = 16
/// The size of a key of AES-192 in bytes.
public let kCCKeySizeAES192 = 24
/// The size of a key of AES-256 in bytes.
public let kCCKeySizeAES256 = 32
/// The size of a key of DES in bytes.
public let kCCKeySizeDES = 8
/// The size of a key of triple DES in bytes.
public let kCCKeySize3DES = 24
/// The least size of a key of CAST5 in bytes.
public let kCCKeySizeMinCAST = 5
/// The greatest size of a key of CAST5 in bytes.
public let kCCKeySizeMaxCAST = 16
/// The least size of a key of RC4 in bytes.
public let kCCKeySizeMinRC4 = 1
/// The greatest size of a key of RC4 in bytes.
public let kCCKeySizeMaxRC4 = 512
/// The least size of a key of RC2 in bytes.
public let kCCKeySizeMinRC2 = 1
/// The greatest size of a key of RC2 in bytes.
public let kCCKeySizeMaxRC2 = 128
/// The least size of a key of Blowfish in bytes.
public let kCCKeySizeMinBlowfish = 8
/// The greatest size of a key of Blowfish in bytes.
public let kCCKeySizeMaxBlowfish = 56

/// The size of a block of AES in bytes.
public let kCCBlockSizeAES128 = 16
/// The size of a block of DES in bytes.
public let kCCBlockSizeDES = 8
/// The size of a block of triple DES in bytes.
public let kCCBlockSize3DES = 8
/// The size of a block of CAST5 in bytes.
public let kCCBlockSizeCAST = 8
/// The size of a block of RC2 in bytes.
public let kCCBlockSizeRC2 = 8
/// The size of a block of Blowfish in bytes.
public let kCCBlockSizeBlowfish = 8
