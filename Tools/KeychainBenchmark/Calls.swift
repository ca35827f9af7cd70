import Foundation
import KeychainServices

/// The measured calls, each of which checks its outcome.
enum Calls {
    static func expect(_ status: OSStatus, _ wanted: OSStatus = errSecSuccess) throws {
        guard status == wanted else { throw BenchmarkError("a call returned \(status)") }
    }

    static func findData(_ query: CFDictionary) throws {
        var found: CFTypeRef?
        try expect(SecItemCopyMatching(query, &found))
        guard let data = found as? NSData, data.length == SampleItem.secretByteCount else {
            throw BenchmarkError("a search returned another value")
        }
    }

    static func findAttributes(_ query: CFDictionary) throws {
        var found: CFTypeRef?
        try expect(SecItemCopyMatching(query, &found))
        guard found is NSDictionary else { throw BenchmarkError("a search returned no attributes") }
    }

    static func list(_ query: CFDictionary, count: Int) throws {
        var found: CFTypeRef?
        try expect(SecItemCopyMatching(query, &found))
        guard let rows = found as? NSArray, rows.count == count else {
            throw BenchmarkError("a listing has not \(count) rows")
        }
    }
}
