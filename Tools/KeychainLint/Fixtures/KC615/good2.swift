import Foundation

func store(_ content: Data, at url: URL) throws {
    let draft = url.appendingPathExtension("draft")
    let handle = try FileHandle(forWritingTo: draft)
    try handle.write(contentsOf: content)
    try handle.close()
    try FileManager.default.moveItem(at: draft, to: url)
    try FileManager.default.removeItem(at: draft)
}

func reserve(_ url: URL) throws { try Data(count: 4096).write(to: url) }

func log(_ items: [UInt8], to list: inout [UInt8]) {
    list.append(contentsOf: items)
    var rest = [UInt8](repeating: 0, count: 4)
    rest.remove(at: 0)
}
