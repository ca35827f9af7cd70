// Apple's library for hashes, codes and ciphers, with its names and its types: an enumeration in C
// is an `Int`, and a type in C is a `UInt32`. libcrypto computes.
