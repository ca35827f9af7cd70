// Apple's library for hashes, codes and ciphers, under its names and with its types: what C
// declares as an enumeration is an `Int`, and what it declares as a type is a `UInt32`. libcrypto
// computes.
