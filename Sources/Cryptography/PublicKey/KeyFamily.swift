/// What has to be told about a key's bytes before they can be read; the rest follows from them.
package enum KeyFamily: Sendable, Hashable, CaseIterable {
    case rsa
    case ellipticCurve
    case ed25519
    case x25519
}
