import AutoFill

/// The choice of one account among those for a page.
struct AccountChoice {
    /// The best item of each account; the best account comes first.
    private let items: [AutoFillCandidate]

    /// Takes the best item of each account.
    ///
    /// - Parameter items: The items, the best first.
    init(_ items: [AutoFillCandidate]) {
        var known: Set<String> = []
        self.items = items.filter { known.insert($0.account).inserted }
    }

    /// Returns the item for a request, and the number of accounts; nil if the account is unknown.
    ///
    /// A filled form gets the next account, and after the last one the first. A form with a name
    /// gets only that account.
    func chosen(for request: BrowserRequest) -> (item: AutoFillCandidate, count: Int)? {
        let place = items.firstIndex { $0.account == request.account }
        if request.isNext, let place {
            return (items[(place + 1) % items.count], items.count)
        }
        if let place { return (items[place], items.count) }
        guard request.account.isEmpty, let first = items.first else { return nil }
        return (first, items.count)
    }
}
