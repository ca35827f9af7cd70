import Foundation

func shred(_ file: URL) throws {
    try FileManager.default.removeItem(at: file)
}
