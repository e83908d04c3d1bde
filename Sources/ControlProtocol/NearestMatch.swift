/// The word of a list that was most likely meant; nil if none is near.
///
/// Near is at most one slip in three letters, and at most three slips; a word that begins with what
/// was written is near too.
package func nearest(to word: String, in words: [String]) -> String? {
    let wanted = Array(word.lowercased().unicodeScalars.prefix(longestWord))
    guard !wanted.isEmpty else { return nil }
    let ranked = words.map { candidate in
        let letters = Array(candidate.lowercased().unicodeScalars)
        let isBegun = wanted.count >= 2 && letters.starts(with: wanted)
        return (candidate, isBegun ? 1 : slips(from: wanted, to: letters))
    }
    let best = ranked.min { $0.1 < $1.1 }
    guard let best, best.1 <= min(3, max(1, wanted.count / 3)) else { return nil }
    return best.0
}

/// The end of an error text: the nearest match, or what to do instead.
package func didYouMean(_ match: String?, else advice: String) -> String {
    match.map { "; did you mean \($0)?" } ?? "; \(advice)"
}

/// Words longer than this are nobody's slip.
private let longestWord = 64

/// The number of letters to insert, delete, replace, or swap with their neighbour (optimal string
/// alignment).
private func slips(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
    var (beforeLast, last) = ([Int](), Array(0...right.count))
    for line in left.indices {
        var row = [line + 1]
        for column in right.indices {
            let isSame = left[line] == right[column]
            var least = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, row[column] + 1)
            if line > 0, column > 0, left[line] == right[column - 1],
                left[line - 1] == right[column]
            {
                least = min(least, beforeLast[column - 1] + 1)
            }
            row.append(least)
        }
        (beforeLast, last) = (last, row)
    }
    return last[right.count]
}
