import KeychainModel
import TestSupport
import Testing

@Suite struct `A failed authentication` {
    /// ★ Apple's `LAError` numbers, and the status that each becomes.
    private static let rows: [(code: Int, status: SecurityStatus)] = [
        (-1, .authFailed), (-2, .userCanceled), (-3, .authFailed), (-4, .authFailed),
        (-5, .authFailed), (-6, .authFailed), (-7, .authFailed), (-8, .authFailed),
        (-9, .authFailed), (-10, .authFailed), (-11, .authFailed), (-12, .authFailed),
        (-13, .authFailed), (-14, .param), (-1004, .interactionNotAllowed),
    ]

    @Test(.requirement("BIO-11"), arguments: rows)
    func `becomes one status`(code: Int, status: SecurityStatus) throws {
        let failure = try #require(AuthenticationFailure(rawValue: code))
        #expect(failure.status == status)
        let error = KeychainError(failure)
        #expect(error.status == status)
        #expect(error.failure == failure)
        #expect(error.challenge == nil)
        #expect(error.reason == failure.sentence)
    }

    @Test(.requirement("BIO-11")) func `is in the table, whatever it is`() {
        let codes = AuthenticationFailure.allCases.map(\.rawValue)
        #expect(Set(codes) == Set(Self.rows.map(\.code)))
        #expect(SecurityStatus.userCanceled.rawValue == -128)
        #expect(SecurityStatus.param.rawValue == -50)
        #expect(SecurityStatus.interactionNotAllowed.rawValue == -25308)
        #expect(SecurityStatus.authFailed.rawValue == -25293)
    }

    @Test func `has a sentence of its own`() {
        let sentences = Set(AuthenticationFailure.allCases.map(\.sentence))
        #expect(sentences.count == AuthenticationFailure.allCases.count)
    }
}
