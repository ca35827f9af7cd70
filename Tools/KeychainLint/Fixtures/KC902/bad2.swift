import Foundation

func store(_ token: String, at url: URL) throws {
    try token.write(to: url, atomically: true, encoding: .utf8)  // expect
}
