import Cryptography
public import Foundation

/// The hash of a message.
public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable
where Element == UInt8 {
    /// The size in bytes.
    static var byteCount: Int { get }
}

/// A function that hashes messages.
public protocol HashFunction: Sendable {
    /// The type of its hashes.
    associatedtype Digest: CryptoKit.Digest
    /// The size of its blocks in bytes.
    static var blockByteCount: Int { get }
    /// Starts an empty message.
    init()
    /// Appends bytes to the message.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    /// Returns the hash of the message so far.
    func finalize() -> Digest
}

extension HashFunction {
    /// Hashes a message.
    public static func hash(data: some DataProtocol) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// Appends data to the message.
    public mutating func update(data: some DataProtocol) {
        for region in data.regions { region.withUnsafeBytes { update(bufferPointer: $0) } }
    }
}

/// A hash function of libcrypto.
protocol NamedHashFunction: HashFunction {
    static var function: HashFunctionName { get }
}

/// The message of a hash function of this module so far.
struct HashState: Sendable {
    private var running: RunningHash

    init(_ function: HashFunctionName) {
        running = certain { () throws(CryptographyError) in try RunningHash(function) }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        certain { () throws(CryptographyError) in try running.update(bytes) }
    }

    var hash: ConstantTimeBytes {
        ConstantTimeBytes(
            array: certain { () throws(CryptographyError) in try running.hash() }
        )
    }
}

extension HashFunction {
    /// Returns the name of a function of this module; any other stops the program.
    static var named: HashFunctionName {
        guard let named = self as? any NamedHashFunction.Type else {
            preconditionFailure("\(self) is no hash function of this module")
        }
        return named.function
    }
}

extension Digest {
    /// Returns an iterator over the bytes.
    public func makeIterator() -> IndexingIterator<[UInt8]> {
        withUnsafeBytes { [UInt8]($0) }.makeIterator()
    }

    /// The name of the function, and the bytes in hexadecimal.
    public var description: String {
        "\(Self.self)".replacing("Digest", with: " digest") + ": " + hexadecimal(self)
    }

    /// Compares in constant time with bytes.
    public static func == (left: Self, right: some DataProtocol) -> Bool {
        left.withUnsafeBytes { isEqualInConstantTime($0, [UInt8](right)) }
    }

    /// Compares in constant time with bytes.
    public static func != (left: Self, right: some DataProtocol) -> Bool { !(left == right) }
}
