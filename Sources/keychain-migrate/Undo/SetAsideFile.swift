import Foundation
import KeychainMigration

/// A file beside an old store, for secrets that no longer have a place in the store.
struct SetAsideFile {
    private let path: String

    /// Chooses the first free name of the form `config.json.undone`, `config.json.undone-2` ….
    init(beside place: String) {
        var path = place + ".undone"
        var number = 1
        var status = stat()
        while lstat(path, &status) == 0 {
            number += 1
            path = place + ".undone-\(number)"
        }
        self.path = path
    }

    /// Writes the file with access only for its owner, and reads it back.
    ///
    /// - Returns: The name of the file.
    func write(_ bytes: Data) throws(SourceFailure) -> String {
        let file = PlainFile(URL(filePath: path))
        try file.replace(with: bytes, ifStill: nil)
        guard try file.read() == bytes else { throw SourceFailure(.changed, file.name) }
        return file.name
    }
}
