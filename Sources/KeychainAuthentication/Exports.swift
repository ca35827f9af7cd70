// As on Apple's platforms, this module brings Security and Foundation with it.
@_exported import CoreFoundation
@_exported import KeychainServices
