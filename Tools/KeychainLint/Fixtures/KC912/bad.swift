import Foundation

func store(_ password: Data, at url: URL) throws {
    try password.write(to: url, options: .noFileProtection)  // expect
}
