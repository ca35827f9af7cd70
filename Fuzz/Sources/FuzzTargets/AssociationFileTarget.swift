import AutoFill
import Foundation

extension FuzzTarget {
    /// The association file of a site: what is read is the same when it is written and read again.
    static let associationFile = FuzzTarget(name: "association-file") { bytes throws(BrokenLaw) in
        let file: AssociationFile
        do throws(AssociationFileError) { file = try AssociationFile(bytes) } catch {
            try require(!error.reason.isEmpty, "a refusal has a reason")
            return .refused
        }
        try require(bytes.count <= AssociationFile.byteLimit, "a file is limited")
        try require(
            file.webCredentialApps.allSatisfy(file.lists),
            "an app that is listed is listed"
        )
        let plain = ["webcredentials": ["apps": file.webCredentialApps.sorted()]]
        guard let written = try? JSONSerialization.data(withJSONObject: plain) else {
            throw BrokenLaw(law: "what was read can be written")
        }
        guard written.count <= AssociationFile.byteLimit else { return .accepted }
        try require(
            (try? AssociationFile([UInt8](written))) == file,
            "an association file says the same when it is written and read"
        )
        return .accepted
    }
}
