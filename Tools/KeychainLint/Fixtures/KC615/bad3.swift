import Foundation

func shred(_ url: URL) throws {
    let handle = try FileHandle(forWritingTo: url)
    let size = try handle.seekToEnd()
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Data(count: Int(size)))  // expect
    try handle.close()
    try FileManager.default.removeItem(at: url)
}
