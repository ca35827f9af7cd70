import AutoFill

/// Which of the accounts of a page is filled in.
struct AccountChoice {
    /// The best item of each account, the best account first.
    private let items: [AutoFillCandidate]

    /// - Parameter items: The best first.
    init(_ items: [AutoFillCandidate]) {
        var known: Set<String> = []
        self.items = items.filter { known.insert($0.account).inserted }
    }

    /// The item for a request, and how many accounts there are.
    ///
    /// A form that is filled in gets the next account, and after the last one the first. A form
    /// with a name gets that account and no other.
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
