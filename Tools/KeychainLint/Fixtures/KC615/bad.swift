import Foundation

func shred(_ file: URL, size: Int) throws {
    let zeros = Data(repeating: 0, count: size)
    try zeros.write(to: file)  // expect
    try FileManager.default.removeItem(at: file)
}
