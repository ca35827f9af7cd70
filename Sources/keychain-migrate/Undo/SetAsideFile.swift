import Foundation
import KeychainMigration

/// A file beside an old store, for secrets that have no place in the store any more.
struct SetAsideFile {
    private let path: String

    /// The first name of the form `config.json.undone`, `config.json.undone-2` … that is free.
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

    /// Writes the file, for its owner alone, and reads it back.
    ///
    /// - Returns: The name of the file.
    func write(_ bytes: Data) throws(SourceFailure) -> String {
        let file = PlainFile(URL(filePath: path))
        try file.replace(with: bytes, ifStill: nil)
        guard try file.read() == bytes else { throw SourceFailure(.changed, file.name) }
        return file.name
    }
}
