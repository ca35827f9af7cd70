import Foundation
import TestSupport
import Testing

@testable import conformance_ledger

/// The names of Apple's functions for keychain files that a source offers.
///
/// Only they reach a file-based keychain by its file; SecItem's names are others.
/// - Source: TN3137; <Security/SecKeychain.h>, <Security/SecAccess.h> and
///   <Security/SecTrustedApplication.h> of macOS's SDK.
private func legacyNames(in file: SourceFile) -> [String] {
    let beginnings = ["SecKeychain", "SecTrustedApplication", "SecACL", "SecAccess"]
    return file.code.map { $0.text.trimmingCharacters(in: .punctuationCharacters) }.filter { name in
        beginnings.contains { name.hasPrefix($0) } && !name.hasPrefix("SecAccessControl")
    }
}

@Suite struct `The legacy functions of keychain files` {
    @Test(
        .requirement("MAC-08"),
        arguments: [
            ("public func SecKeychainOpen(_ path: String) {}", ["SecKeychainOpen"]),
            ("@_cdecl(\"SecKeychainUnlock\") func unlock() {}", ["SecKeychainUnlock"]),
            ("public typealias Access = SecAccess", ["SecAccess"]),
            ("public func SecAccessCreate() {}; let a: SecACL", ["SecAccessCreate", "SecACL"]),
            ("func SecAccessControlCreateWithFlags() {}; func SecItemAdd() {}", []),
        ]
    )
    func `are found where a source has one`(source: String, names: [String]) {
        let file = SourceFile("Sources/A/A.swift", source)
        #expect(legacyNames(in: file) == names)
    }

    @Test(.requirement("MAC-08")) func `are not offered`() {
        let sources = Checkout.swiftFiles.filter { $0.isBelow("Sources") }
        #expect(sources.contains { $0.code.contains { $0.text == "SecItemCopyMatching" } })
        #expect(sources.filter { !legacyNames(in: $0).isEmpty }.map(\.path) == [])
        let headers = Checkout.texts.filter { $0.isBelow("Sources") && $0.path.hasSuffix(".h") }
        #expect(headers.filter { $0.text.contains("SecKeychain") }.map(\.path) == [])
    }
}
