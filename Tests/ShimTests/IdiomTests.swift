import Foundation
import TestSupport
import Testing

/// A piece of code as it is in other people's programs.
private struct Idiom: CustomTestStringConvertible {
    let name: String
    let text: String
    /// Swift 6 mode, or Swift 5 mode, in which actors of a framework bind nobody.
    let version: String

    init(_ name: String, _ text: String, version: String = "6") {
        self.name = name
        self.text = text
        self.version = version
    }

    var testDescription: String { "\(name), Swift \(version)" }

    /// The same in Swift 5 mode.
    var before: Idiom { Idiom(name, text, version: "5") }
}

private let idioms = [
    Idiom(
        "keys that can be copied",
        """
        import Security
        func query() -> NSMutableDictionary {
            let query = NSMutableDictionary()
            query.setObject(kSecClassGenericPassword, forKey: kSecClass as! NSCopying)
            let keys = [kSecClass, kSecAttrService] as! [NSCopying]
            _ = NSDictionary(objects: [kSecClassKey, "s"], forKeys: keys)
            return NSMutableDictionary(objects: [kSecClassKey, "s"], forKeys: keys)
        }
        """
    ),
    Idiom(
        "a dictionary of Core Foundation",
        """
        import Security
        func query() -> OSStatus {
            let query = CFDictionaryCreateMutable(kCFAllocatorDefault, 4, nil, nil)
            CFDictionaryAddValue(
                query,
                Unmanaged.passUnretained(kSecClass).toOpaque(),
                Unmanaged.passUnretained(kSecClassKey).toOpaque()
            )
            var result: CFTypeRef?
            return SecItemCopyMatching(query!, &result)
        }
        """
    ),
    Idiom(
        "the device in a function that says nothing of actors",
        """
        import UIKit
        final class Installation {
            lazy var name = UIDevice.current.name
            let version = UIDevice.current.systemVersion
        }
        func identifier() -> String? { UIDevice.current.identifierForVendor?.uuidString }
        func isReadable() -> Bool { UIApplication.shared.isProtectedDataAvailable }
        """,
        version: "5"
    ),
    Idiom(
        "a pool, an empty error and memory that is overwritten",
        """
        import Security
        func f(_ secret: inout [UInt8]) throws -> Int {
            memset_s(&secret, secret.count, 0, secret.count)
            let count = try autoreleasepool { () throws -> Int in
                if secret.isEmpty { throw NSError() }
                return secret.count
            }
            autoreleasepool { secret.removeAll() }
            return count
        }
        """
    ),
    Idiom(
        "the log by its header",
        """
        import Foundation
        import os.log
        let log = OSLog(subsystem: "app", category: "keychain")
        func f() {
            os_log("started", log: log, type: .info)
            Logger(subsystem: "app", category: "x").error("failed")
        }
        """
    ),
    Idiom(
        "the lock by its header",
        """
        import os.lock
        import os
        func f() -> Int { OSAllocatedUnfairLock(initialState: 1).withLock { $0 } }
        """
    ),
    Idiom(
        "a hash with a state that was allocated",
        """
        import CommonCrypto
        import Foundation
        func sha256(_ data: Data) -> Data {
            let context = UnsafeMutablePointer<CC_SHA256_CTX>.allocate(capacity: 1)
            defer { context.deallocate() }
            CC_SHA256_Init(context)
            data.withUnsafeBytes {
                _ = CC_SHA256_Update(context, $0.baseAddress, CC_LONG(data.count))
            }
            var digest = Data(count: Int(CC_SHA256_DIGEST_LENGTH))
            digest.withUnsafeMutableBytes {
                _ = CC_SHA256_Final($0.bindMemory(to: UInt8.self).baseAddress, context)
            }
            return digest
        }
        func hmac(_ key: String, _ text: String) -> [UInt8] {
            var code = [UInt8](repeating: 0, count: Int(CC_SHA1_DIGEST_LENGTH))
            CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA1), key, key.count, text, text.count, &code)
            return code
        }
        """
    ),
    Idiom(
        "a cipher with the integers of C",
        """
        import CommonCrypto
        import Foundation
        func crypt(_ data: Data, key: Data, iv: Data, operation: Int = kCCEncrypt) -> Data? {
            var output = Data(count: data.count + kCCBlockSizeAES128)
            var count: size_t = 0
            let room = output.count
            let status: CCCryptorStatus = output.withUnsafeMutableBytes { out in
                data.withUnsafeBytes { input in
                    iv.withUnsafeBytes { iv in
                        key.withUnsafeBytes { key in
                            CCCrypt(
                                CCOperation(operation), CCAlgorithm(kCCAlgorithmAES128),
                                CCOptions(kCCOptionPKCS7Padding), key.baseAddress, kCCKeySizeAES256,
                                iv.baseAddress, input.baseAddress, data.count,
                                out.baseAddress, room, &count)
                        }
                    }
                }
            }
            guard status == kCCSuccess else { return nil }
            return output.prefix(count)
        }
        """
    ),
    Idiom(
        "the device and a property of a view",
        """
        import SwiftUI
        import UIKit
        @MainActor func name() -> String {
            let device = UIDevice.current
            let id = device.identifierForVendor?.uuidString ?? "unknown"
            let words = device.model + device.systemVersion + id
            return device.userInterfaceIdiom == .pad ? "pad" : words
        }
        @propertyWrapper struct Stored: DynamicProperty {
            @State private var value = 1
            @MainActor var wrappedValue: Int { value }
        }
        """
    ),
]

@Suite struct `Code of other people` {
    @Test(arguments: idioms.filter { $0.version == "6" } + idioms.map(\.before))
    fileprivate func `compiles as it is`(idiom: Idiom) throws {
        let report = try Compiler.check([("Idiom.swift", idiom.text)], version: idiom.version)
        #expect(report.errors.isEmpty, "\(report.errors)")
    }
}
