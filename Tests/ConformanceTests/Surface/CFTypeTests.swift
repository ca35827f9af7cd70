import ModelTestSupport
import Security
import TestSupport
import Testing

@Suite struct CFTypeTests {
    static let typeIDs: [CFTypeID] = [
        CFStringGetTypeID(), CFNullGetTypeID(), CFSetGetTypeID(), CFDictionaryGetTypeID(),
        CFArrayGetTypeID(), CFDataGetTypeID(), CFBooleanGetTypeID(), CFNumberGetTypeID(),
        CFErrorGetTypeID(), CFURLGetTypeID(), CFDateGetTypeID(),
    ]

    @Test func `type ids differ`() {
        #expect(Set(Self.typeIDs).count == Self.typeIDs.count)
    }

    @Test func `a Swift value has the type id of the class it is boxed in`() {
        #expect(CFGetTypeID("text" as AnyObject) == CFStringGetTypeID())
        #expect(CFGetTypeID(kSecClass) == CFStringGetTypeID())
        #expect(CFGetTypeID(Data([1]) as AnyObject) == CFDataGetTypeID())
        #expect(CFGetTypeID(["a": 1] as AnyObject) == CFDictionaryGetTypeID())
        #expect(CFGetTypeID([1, 2] as AnyObject) == CFArrayGetTypeID())
        #expect(CFGetTypeID(Date() as AnyObject) == CFDateGetTypeID())
        #expect(CFGetTypeID(Set([1]) as AnyObject) == CFSetGetTypeID())
        #expect(CFGetTypeID(NSNull()) == CFNullGetTypeID())
        #expect(CFGetTypeID(NSError(domain: "d", code: 1)) == CFErrorGetTypeID())
    }

    @Test(.requirement("API-09")) func `an error is made of domain, code and user info`() {
        let info: CFDictionary = [kSecAttrAccount: "ada", NSLocalizedDescriptionKey: "No key."]
        let domain = NSOSStatusErrorDomain as CFErrorDomain
        let error = CFErrorCreate(kCFAllocatorDefault, domain, -25300, info)
        #expect(CFErrorGetCode(error) == -25300)
        #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        #expect(CFErrorCopyDescription(error) as String == "No key.")
        let copied = CFErrorCopyUserInfo(error) as? [String: String]
        #expect(copied == [String.account: "ada", NSLocalizedDescriptionKey: "No key."])
        #expect(CFErrorCopyUserInfo(CFErrorCreate(nil, domain, 1, nil)).count == 0)
        #expect(throws: NSError.self) { throw try #require(error) as Error }
    }

    @Test(.requirement("API-11"), arguments: [true, false])
    func `truth values are not numbers`(value: Bool) {
        #expect(CFGetTypeID(value as AnyObject) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(NSNumber(value: value)) == CFBooleanGetTypeID())
        #expect(CFGetTypeID(NSNumber(value: value ? 1 : 0)) == CFNumberGetTypeID())
        #expect(CFGetTypeID(NSNumber(value: Int8(value ? 1 : 0))) == CFNumberGetTypeID())
    }

    @Test(.requirement("API-11")) func `the boolean constants read as Swift truth values`() {
        #expect(kCFBooleanTrue as Any as? Bool == true)
        #expect(CFBooleanGetValue(kCFBooleanTrue!) && !CFBooleanGetValue(kCFBooleanFalse))
        #expect(CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID())
        let query: [String: AnyObject] = [kSecReturnData as String: kCFBooleanTrue]
        #expect((query as CFDictionary as? [String: Any])?[.returnData] as? Bool == true)
    }

    @Test func `data lends its bytes and takes over others`() throws {
        let bytes: [UInt8] = [1, 2, 3]
        let copy = try #require(CFDataCreate(nil, bytes, 3))
        #expect(CFDataGetLength(copy) == 3 && CFDataGetBytePtr(copy)[2] == 3)
        bytes.withUnsafeBufferPointer {
            let view = CFDataCreateWithBytesNoCopy(nil, $0.baseAddress, 3, kCFAllocatorNull)
            #expect(view.map { $0 as Data } == Data(bytes))
        }
        let owned = try #require(malloc(2)).assumingMemoryBound(to: UInt8.self)
        owned.update(repeating: 7, count: 2)
        let taken = CFDataCreateWithBytesNoCopy(nil, owned, 2, kCFAllocatorDefault)
        #expect(taken.map { $0 as Data } == Data([7, 7]))
    }
}
