/// The part of a key's kind that its bytes do not determine.
package enum KeyFamily: Sendable, Hashable, CaseIterable {
    case rsa
    case ellipticCurve
    case ed25519
    case x25519
}
