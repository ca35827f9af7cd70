import LocalAuthentication
import Testing

/// What Swift programs do with errors of Objective-C.
@Suite struct `An error of LocalAuthentication` {
    private static func raised(_ code: LAError.Code) -> NSError {
        NSError(domain: LAErrorDomain, code: code.rawValue)
    }

    @Test func `is one when it comes as an NSError`() throws {
        let error: any Error = Self.raised(.biometryNotAvailable)
        let cast = try #require(error as? LAError)
        #expect(cast.code == .biometryNotAvailable)
        let optional: NSError? = Self.raised(.userCancel)
        #expect((optional as? LAError)?.code == .userCancel)
        let several = [Self.raised(.userCancel), NSError(domain: "other", code: -2)]
        #expect(several.compactMap { $0 as? LAError }.map(\.code) == [.userCancel])
    }

    @Test func `is caught by its code`() {
        func caught(_ error: any Error) -> String {
            do { throw error } catch LAError.biometryNotAvailable {
                return "biometry"
            } catch LAError.userCancel {
                return "cancel"
            } catch {
                return "other"
            }
        }
        #expect(caught(Self.raised(.biometryNotAvailable)) == "biometry")
        #expect(caught(Self.raised(.userCancel)) == "cancel")
        #expect(caught(LAError(.userCancel)) == "cancel")
        #expect(caught(Self.raised(.systemCancel)) == "other")
        #expect(caught(NSError(domain: "other", code: -2)) == "other")
    }

    @Test(arguments: [-1003, -1, 0, 7, 12_345])
    func `has any number as its code`(number: Int) {
        #expect(LAError.Code(rawValue: number)?.rawValue == number)
        #expect(LAPolicy(rawValue: number)?.rawValue == number)
        #expect(SecKeyOperationType(rawValue: number)?.rawValue == number)
    }

    @Test func `is a member of a set and a key`() {
        let cancel = LAError(.userCancel)
        let noted = LAError(.userCancel, userInfo: ["note": 1])
        #expect(Set([cancel, LAError(.userCancel), LAError(.appCancel)]).count == 2)
        #expect([cancel: 1][LAError(.userCancel)] == 1)
        #expect(cancel.hashValue == LAError(.userCancel).hashValue)
        #expect(cancel != noted)
        #expect(Set([AnyHashable(cancel), AnyHashable(1)]).contains(AnyHashable(cancel)))
    }

    @Test(arguments: Array(-14 ... -1) + [-1004])
    func `has a case for each number with a name`(number: Int) throws {
        let code = try #require(LAError.Code(rawValue: number))
        if case ._other = code { Issue.record("\(number) has no case") }
        #expect(code.hashValue == LAError.Code._other(number).hashValue)
        #expect(code == ._other(number))
    }
}
