import Foundation
import KeychainMessages
import KeychainModel

/// The keys of a program's protected files, without the files.
///
/// A list beside the keychain contains the fields of their headers, and the keys.
struct TortureFile: Codable {
    let fileClass: UInt8
    let keySet: [UInt8]
    let ephemeralPublicKey: [UInt8]
    let wrapped: [UInt8]
    let key: [UInt8]

    /// The identifier of all files, because the wrapping depends only on the class.
    private static let file = FileIdentifier(Array(1...16))
    private static let name = "/torture-files"

    /// Makes a file of each class.
    static func makeAll(_ rig: Rig, in directory: String) throws(KeychainError) {
        var files: [TortureFile] = []
        for fileClass in FileClass.allCases { files.append(try make(fileClass, rig)) }
        guard let bytes = try? JSONEncoder().encode(files) else {
            throw KeychainError(.internal, "files cannot be listed")
        }
        try ScratchDirectory.write(Array(bytes), to: directory + name)
    }

    static func make(_ fileClass: FileClass, _ rig: Rig) throws(KeychainError) -> TortureFile {
        guard let file,
            case .made(let wrapped, let key) = try rig.endpoint().send(
                FileKeyRequest.make(fileClass, file: file, group: Rig.groups[0])
            )
        else { throw .unexpectedReply }
        return TortureFile(
            fileClass: fileClass.rawValue,
            keySet: wrapped.keySet,
            ephemeralPublicKey: wrapped.ephemeralPublicKey,
            wrapped: wrapped.wrapped,
            key: key.secret.copyBytesUnprotected()
        )
    }

    /// Returns a sentence about the state of each file in the list.
    static func sentences(_ rig: Rig, in directory: String) throws(KeychainError) -> [String] {
        guard let bytes = FileManager.default.contents(atPath: directory + name) else { return [] }
        guard let files = try? JSONDecoder().decode([TortureFile].self, from: bytes) else {
            throw KeychainError(.internal, "the list of files is no list")
        }
        var sentences: [String] = []
        for file in files { sentences.append("file \(file.fileClass) " + file.sentence(rig)) }
        return sentences
    }

    func sentence(_ rig: Rig) -> String {
        guard let file = Self.file, let fileClass = FileClass(rawValue: fileClass) else {
            return "is none"
        }
        let key = WrappedFileKey(
            fileClass,
            file: file,
            group: Rig.groups[0],
            keySet: keySet,
            ephemeralPublicKey: ephemeralPublicKey,
            wrapped: wrapped
        )
        do throws(KeychainError) {
            guard case .key(let found) = try rig.endpoint().send(FileKeyRequest.open(key)) else {
                throw .unexpectedReply
            }
            let isRight = found.secret.copyBytesUnprotected() == self.key
            return isRight ? "opens" : "opens with a wrong key"
        } catch { return "fails with \(error.status.rawValue)" }
    }
}
