import Cryptography

// The states of the functions that hash. That of MD2 is beside its functions.

/// The state of MD4: plain bytes, which a program may copy.
public struct CC_MD4state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of MD4: plain bytes, which a program may copy.
public typealias CC_MD4_CTX = CC_MD4state_st

/// The state of MD5: plain bytes, which a program may copy.
public struct CC_MD5state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of MD5: plain bytes, which a program may copy.
public typealias CC_MD5_CTX = CC_MD5state_st

/// The state of SHA-1: plain bytes, which a program may copy.
public struct CC_SHA1state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of SHA-1: plain bytes, which a program may copy.
public typealias CC_SHA1_CTX = CC_SHA1state_st

/// The state of SHA-256 or SHA-224: plain bytes, which a program may copy.
public struct CC_SHA256state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of SHA-256 or SHA-224: plain bytes, which a program may copy.
public typealias CC_SHA256_CTX = CC_SHA256state_st

/// The state of SHA-512 or SHA-384: plain bytes, which a program may copy.
public struct CC_SHA512state_st: HashContext, Sendable {
    var state = HashState()

    /// Creates a state without a message.
    public init() {}
}

/// The state of SHA-512 or SHA-384: plain bytes, which a program may copy.
public typealias CC_SHA512_CTX = CC_SHA512state_st
