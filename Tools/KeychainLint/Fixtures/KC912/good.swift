import Foundation

func store(_ thumbnail: Data, at url: URL) throws {
    try thumbnail.write(to: url, options: .noFileProtection)
}
