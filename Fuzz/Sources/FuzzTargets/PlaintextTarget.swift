import Secrets

@testable import PlaintextFormats

extension FuzzTarget {
    /// A plain text file; the first byte chooses its format.
    ///
    /// What is taken out of it is just what the entry names, and the rest is a file of the format.
    /// Where a reference replaces the secret, that reference is there afterwards.
    static let plaintext = FuzzTarget(name: "plaintext") { bytes throws(BrokenLaw) in
        guard let choice = bytes.first else { return .refused }
        let format = PlaintextFormat.all[Int(choice) % PlaintextFormat.all.count]
        let content = SharedSecret(Secret(copying: bytes.dropFirst()))
        guard let file = try? PlaintextFile(content, as: format) else { return .refused }
        for entry in file.entries where entry.hindrance == nil {
            let rest = SharedSecret(file.removing(entry))
            let removed = entry.removal.reduce(0) { $0 + $1.count }
            try require(
                rest.secret.byteCount + removed == bytes.count - 1 + entry.replacement.count
                    * entry.removal.count,
                "nothing goes but what the entry names, and nothing comes but its replacement"
            )
            let left = try? PlaintextFile(rest, as: format)
            try require(left != nil, "what is left of \(format.name) is still a file of it")
            try require(
                left?.entries.count == file.entries.count - 1,
                "what is left of \(format.name) lacks one entry"
            )
        }
        return .accepted
    }
}
