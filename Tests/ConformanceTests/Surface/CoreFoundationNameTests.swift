import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct `Core Foundation's data` {
    @Test func `grows, shrinks and is read`() throws {
        let data = try #require(CFDataCreateMutable(kCFAllocatorDefault, 0))
        CFDataAppendBytes(data, [1, 2, 3, 4], 4)
        CFDataAppendBytes(data, nil, 0)
        CFDataReplaceBytes(data, CFRangeMake(1, 2), [9], 1)
        #expect(data as Data == Data([1, 9, 4]))
        CFDataDeleteBytes(data, CFRange(location: 0, length: 1))
        CFDataIncreaseLength(data, 1)
        #expect(data as Data == Data([9, 4, 0]))
        CFDataGetMutableBytePtr(data)[2] = 7
        var bytes: [UInt8] = [0, 0]
        CFDataGetBytes(data, CFRangeMake(1, 2), &bytes)
        #expect(bytes == [4, 7])
        let copy = try #require(CFDataCreateMutableCopy(nil, 0, data))
        CFDataSetLength(data, 0)
        #expect(CFDataGetLength(data) == 0 && CFDataGetLength(copy) == 3)
        #expect(CFDataCreateCopy(nil, copy) as Data == Data([9, 4, 7]))
    }
}

@Suite struct `Core Foundation's collections` {
    /// The address of an object that somebody else keeps.
    private func address(_ object: AnyObject) -> UnsafeMutableRawPointer {
        Unmanaged.passUnretained(object).toOpaque()
    }

    // The way of code from before Swift's arrays, for what an import of PKCS#12 gives.
    @Test func `give the addresses of objects, which stay valid`() throws {
        let names: CFArray = [["name": "ada"], ["name": "bob"]] as CFArray
        let first = unsafeBitCast(CFArrayGetValueAtIndex(names, 0), to: CFDictionary.self)
        let (key, other) = ("name" as CFString, "age" as CFString)
        defer { withExtendedLifetime((key, other, names)) {} }
        let value = try #require(CFDictionaryGetValue(first, address(key)))
        // Other objects would take the place of one that had ended.
        let noise = (0..<64).map { NSString(string: "noise \($0)") }
        #expect(Unmanaged<CFString>.fromOpaque(value).takeUnretainedValue() == "ada")
        #expect(noise.count == 64)
        #expect(CFArrayGetValueAtIndex(names, 2) == nil)
        #expect(CFArrayGetValueAtIndex(names, 0) == CFArrayGetValueAtIndex(names, 0))
        #expect(CFDictionaryGetValue(first, address(other)) == nil)
    }

    @Test func `keep the objects of the keychain as they are`() throws {
        let key = try #require(
            SecKeyCreateRandomKey(
                [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                ] as CFDictionary,
                nil
            )
        )
        let keys = [key] as CFArray
        let first = unsafeBitCast(CFArrayGetValueAtIndex(keys, 0), to: SecKey.self)
        #expect(first === key)
    }

    @Test func `are made and changed by addresses`() throws {
        let capacity = 4
        let query = try #require(
            CFDictionaryCreateMutable(kCFAllocatorDefault, capacity, nil, nil)
        )
        CFDictionarySetValue(query, address(kSecClass), address(kSecClassKey))
        CFDictionaryAddValue(query, address(kSecClass), address(kSecClassIdentity))
        CFDictionaryAddValue(query, address(kSecReturnRef), address(kCFBooleanTrue))
        #expect(query[kSecClass] as? String == kSecClassKey as String)
        #expect(query[kSecReturnRef] as? Bool == true)
        CFDictionaryReplaceValue(query, address(kSecClass), address(kSecClassIdentity))
        CFDictionaryReplaceValue(query, address(kSecAttrLabel), address(kSecClass))
        #expect(query[kSecClass] as? String == kSecClassIdentity as String)
        #expect(!CFDictionaryContainsKey(query, address(kSecAttrLabel)))
        let copy = try #require(CFDictionaryCreateMutableCopy(nil, 0, query))
        CFDictionaryRemoveValue(query, address(kSecClass))
        #expect(CFDictionaryGetCount(query) == 1 && CFDictionaryGetCount(copy) == 2)
        CFDictionaryRemoveAllValues(query)
        #expect(CFDictionaryGetCount(query) == 0)
        var found: UnsafeRawPointer?
        #expect(CFDictionaryGetValueIfPresent(copy, address(kSecClass), &found) && found != nil)
    }

    @Test func `are copied, and changed at positions`() throws {
        let list = try #require(CFArrayCreateMutable(nil, CFArrayGetCount([]), nil))
        CFArrayInsertValueAtIndex(list, 0, address(kSecClass))
        CFArrayInsertValueAtIndex(list, 0, address(kSecAttrLabel))
        CFArrayInsertValueAtIndex(list, 9, address(kSecAttrLabel))
        CFArraySetValueAtIndex(list, 2, address(kSecClass))
        CFArraySetValueAtIndex(list, 0, address(kSecAttrAccount))
        let all = CFRangeMake(0, 9)
        #expect(CFArrayGetCountOfValue(list, all, address(kSecClass)) == 2)
        #expect(CFArrayGetFirstIndexOfValue(list, all, address(kSecClass)) == 1)
        #expect(CFArrayGetFirstIndexOfValue(list, all, address(kSecAttrLabel)) == -1)
        let same = CFArrayCreateCopy(nil, list)
        let copy = try #require(CFArrayCreateMutableCopy(nil, 9, list))
        CFArrayRemoveValueAtIndex(list, 1)
        CFArrayRemoveValueAtIndex(list, 5)
        #expect(list as? [String] == [kSecAttrAccount as String, kSecClass as String])
        CFArrayRemoveAllValues(list)
        #expect(CFArrayGetCount(list) == 0 && CFArrayGetCount(copy) == 3)
        #expect(CFArrayGetCount(same) == 3)
    }

    @Test func `tell all of their keys and values`() throws {
        let query = [kSecClass: kSecClassKey, kSecAttrLabel: "a", kSecAttrAccount: "a"]
        let whole = try #require(CFDictionaryCreateCopy(nil, query as CFDictionary))
        let text = NSString(string: "a")
        defer { withExtendedLifetime((whole, text)) {} }
        #expect(CFDictionaryGetCountOfKey(whole, address(kSecClass)) == 1)
        #expect(CFDictionaryGetCountOfKey(whole, address(kSecAttrService)) == 0)
        #expect(CFDictionaryGetCountOfValue(whole, address(text)) == 2)
        #expect(CFDictionaryContainsValue(whole, address(kSecClassKey)))
        #expect(!CFDictionaryContainsValue(whole, address(kSecClassIdentity)))
        var keys = [UnsafeRawPointer?](repeating: nil, count: CFDictionaryGetCount(whole))
        var values = keys
        CFDictionaryGetKeysAndValues(whole, &keys, &values)
        CFDictionaryGetKeysAndValues(whole, nil, nil)
        let texts = try zip(keys, values).map { key, value in
            try [#require(key), #require(value)].map {
                Unmanaged<CFString>.fromOpaque($0).takeUnretainedValue() as String
            }
        }
        let pairs = Dictionary(uniqueKeysWithValues: texts.map { ($0[0], $0[1]) })
        #expect(pairs == query.reduce(into: [:]) { $0[$1.key as String] = $1.value as String })
    }

    @Test func `take the functions that keep objects`() throws {
        var keyFunctions = kCFTypeDictionaryKeyCallBacks
        var valueFunctions = kCFTypeDictionaryValueCallBacks
        var keys: [UnsafeRawPointer?] = [UnsafeRawPointer(address(kSecClass))]
        var values: [UnsafeRawPointer?] = [UnsafeRawPointer(address(kSecClassKey))]
        let made = CFDictionaryCreate(nil, &keys, &values, 1, &keyFunctions, &valueFunctions)
        #expect(made as? [String: String] == [kSecClass as String: kSecClassKey as String])
        var elements: [UnsafeRawPointer?] = [UnsafeRawPointer(address(kSecClass))]
        let capacity = 0
        let list = try #require(CFArrayCreateMutable(nil, capacity, nil))
        CFArrayAppendValue(list, address(kSecClass))
        let same = NSString(string: kSecClass as String)
        withExtendedLifetime(same) {
            #expect(CFArrayContainsValue(list, CFRangeMake(0, 1), address(same)))
            #expect(!CFArrayContainsValue(list, CFRangeMake(0, 0), address(same)))
        }
        #expect(
            CFArrayCreate(kCFAllocatorDefault, &elements, 1, nil) as? [String] == [
                kSecClass as String
            ]
        )
    }
}

@Suite struct `Core Foundation's other values` {
    @Test func `are numbers that nothing else has`() throws {
        let number = try #require(CFUUIDCreate(nil))
        let text = try #require(CFUUIDCreateString(nil, number))
        #expect(CFStringGetLength(text) == 36 && text as String == number.uuidString)
        #expect(CFUUIDCreateFromString(nil, text) == number)
        #expect(CFUUIDCreateFromString(nil, "x") == nil)
        #expect(CFGetTypeID(number) == CFUUIDGetTypeID())
    }

    @Test func `are the domains and keys of errors`() throws {
        #expect(kCFErrorDomainOSStatus as String == NSOSStatusErrorDomain)
        #expect(kCFErrorDomainPOSIX as String == NSPOSIXErrorDomain)
        let info = [
            kCFErrorLocalizedDescriptionKey as String: "No key.",
            kCFErrorLocalizedFailureReasonKey as String: "Locked.",
        ]
        let error = try #require(
            CFErrorCreate(nil, kCFErrorDomainOSStatus, -25308, info as CFDictionary)
        )
        #expect(CFErrorCopyDescription(error) as String == "No key.")
        #expect(CFErrorCopyFailureReason(error) as String == "Locked.")
        #expect(CFErrorCopyRecoverySuggestion(error) == nil)
        #expect((error as Error as NSError).domain == NSOSStatusErrorDomain)
        let nothing = NSError()
        #expect(nothing.code == 0 && nothing.domain.isEmpty)
    }

    @Test func `are dates, strings and numbers`() {
        #expect(CFDateGetAbsoluteTime(CFDateCreate(nil, 12.5)) == 12.5)
        let utf8 = CFStringBuiltInEncodings.UTF8.rawValue
        #expect(CFStringCreateWithCString(nil, "größe", utf8) as String == "größe")
        #expect(CFStringCreateWithBytes(nil, [0xFF], 1, utf8, false) == nil)
        var input: Int32 = -7
        let number = CFNumberCreate(nil, .sInt32Type, &input)
        var output: Int64 = 0
        #expect(CFNumberGetValue(number, .sInt64Type, &output) && output == -7)
        var small: Int8 = 0
        #expect(!CFNumberGetValue(NSNumber(value: 300), .sInt8Type, &small))
        let code: FourCharCode = 0x6170_706C
        #expect(code == OSType(1_634_758_764))
    }

    @Test func `overwrites memory`() {
        var secret: [UInt8] = [1, 2, 3, 4]
        #expect(memset_s(&secret, 4, 0, 3) == 0)
        #expect(secret == [0, 0, 0, 4])
        #expect(memset_s(&secret, 4, 0x1FF, 9) == EOVERFLOW)
        #expect(secret == [255, 255, 255, 255])
        #expect(memset_s(nil, secret.count, 0, 4) == EINVAL)
        #expect(memset_s(&secret, -1, 0, 4) == E2BIG)
    }

    @Test func `calls a function that would release objects`() throws {
        #expect(autoreleasepool { 7 } == 7)
        #expect(throws: CocoaError.self) {
            try autoreleasepool { throw CocoaError(.fileNoSuchFile) }
        }
    }
}

@Suite struct `A dictionary of Objective-C's kind` {
    @Test func `takes keys that can be copied`() {
        let query = NSMutableDictionary()
        let copied: any NSCopying = kSecAttrService
        query.setObject(kSecClassGenericPassword, forKey: kSecClass as NSCopying)
        query.setObject("mail", forKey: copied)
        query.setObject("ada", forKey: kSecAttrAccount)
        let expected = [
            kSecClass as String: kSecClassGenericPassword as String,
            kSecAttrService as String: "mail", .account: "ada",
        ]
        #expect(query as? [String: String] == expected)
        #expect(query[kSecClass] as? String == kSecClassGenericPassword as String)
        let keys = [kSecClass as Any, kSecAttrService] as! [NSCopying]
        let made = NSDictionary(objects: [kSecClassKey, "x"], forKeys: keys)
        #expect(made[kSecClass] as? String == kSecClassKey as String)
        #expect(made[kSecAttrService] as? String == "x" && made.count == 2)
        let mutable = NSMutableDictionary(objects: ["y"], forKeys: [copied])
        #expect(mutable[kSecAttrService] as? String == "y")
        #expect(NSDictionary(object: 1, forKey: copied)[kSecAttrService] as? Int == 1)
    }
}
