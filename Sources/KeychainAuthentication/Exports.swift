// As on Apple's platforms, this module brings Security and Foundation with it.
// Its enumerations are C's, so that they take any number.
@_exported import CAppleEnumerations.Authentication
@_exported import CoreFoundation
@_exported import KeychainServices
