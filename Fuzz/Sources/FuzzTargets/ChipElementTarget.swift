@testable import DataProtection

extension FuzzTarget {
    /// The file of a chip's secure element without the code at its end, for which zeros stand here.
    ///
    /// What is read is written so that it is read as the same.
    static let chipElement = FuzzTarget(name: "chip-element") { bytes throws(BrokenLaw) in
        let written: [UInt8]
        let again: [UInt8]
        do throws(DeviceError) {
            written = try rewritten(bytes)
        } catch {
            return try refused(error)
        }
        do throws(DeviceError) {
            again = try rewritten(written)
        } catch {
            throw BrokenLaw(law: "what was written is read")
        }
        try require(again == written, "the file is written as it was read")
        return .accepted
    }

    private static func rewritten(_ fields: [UInt8]) throws(DeviceError) -> [UInt8] {
        let code = [UInt8](repeating: 0, count: AuthenticatedFile.codeByteCount)
        return try ChipElementRecord(parsing: fields + code, path: "secure-element")
            .encodedFields()
    }
}
