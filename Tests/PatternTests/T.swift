import Testing
@testable import KeychainPatterns
