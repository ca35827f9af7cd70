/// Finds the word that the user probably meant.
enum Spelling {
    /// Returns the nearest candidate, if at most two letters differ or at most a quarter of them.
    static func nearest(to word: String, in candidates: [String]) -> String? {
        let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(2, best.name.count / 4) ? best.name : nil
    }

    /// Returns the Levenshtein distance: the number of letters to insert, delete or replace.
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
