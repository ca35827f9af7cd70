import Foundation

func store(_ credentials: Credentials, at url: URL) throws {
    let data = try PropertyListEncoder().encode(credentials)
    try data.write(to: url)  // expect
}
