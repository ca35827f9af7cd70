import Foundation

extension FileManager {
    /// Returns the Swift files below a folder, relative to it and sorted, without build products.
    func swiftFiles(below folder: URL) -> [String] {
        guard let paths = enumerator(atPath: folder.path) else { return [] }
        return paths.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.split(separator: "/").contains(".build") }
            .sorted()
    }
}
