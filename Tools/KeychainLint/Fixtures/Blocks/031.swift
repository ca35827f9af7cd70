// A protocol for a store of secrets and its double in memory, for tests.
protocol SecretShelf: Actor {
    func read(service: String, account: String) throws -> Data
    func save(_ bytes: Data, service: String, account: String, accessible: CFString) throws
    func delete(service: String, account: String) throws
    func deleteAll()
}

actor PaperShelf: SecretShelf {
    private struct Place: Hashable {
        let service: String
        let account: String
    }

    private var papers: [Place: Data] = [:]
    var failure: ShelfError?

    func read(service: String, account: String) throws -> Data {
        if let failure { throw failure }
        if let paper = papers[Place(service: service, account: account)] { return paper }
        throw ShelfError.missing
    }

    func save(_ bytes: Data, service: String, account: String, accessible: CFString) throws {
        if let failure { throw failure }
        papers[Place(service: service, account: account)] = bytes
    }

    func delete(service: String, account: String) throws {
        papers.removeValue(forKey: Place(service: service, account: account))
    }

    func deleteAll() { papers = [:] }
}
