/// Finds the word that was probably meant.
public enum Suggestion {
    /// The candidate nearest to `word`, or nil when none is near: at most one edit in three characters.
    public static func nearest<Candidates: Sequence<String>>(
        to word: String, among candidates: Candidates
    ) -> String? {
        let ranked = candidates.map { (candidate: $0, distance: editDistance(word, $0)) }
        guard let best = ranked.min(by: { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }) else {
            return nil
        }
        return best.distance <= max(1, word.count / 3) ? best.candidate : nil
    }

    /// The remedy `did you mean 'x'?` for the nearest candidate, or nil when none is near.
    public static func remedy<Candidates: Sequence<String>>(for word: String, among candidates: Candidates) -> String? {
        nearest(to: word, among: candidates).map { "did you mean '\($0)'?" }
    }

    /// The least number of characters to insert, delete, replace or swap with a neighbour
    /// that turns `left` into `right` (the optimal string alignment distance).
    static func editDistance(_ left: String, _ right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (i, leftCharacter) in left.enumerated() {
            var current = [i + 1]
            for (j, rightCharacter) in right.enumerated() {
                var distance = min(previous[j + 1] + 1, current[j] + 1)
                distance = min(distance, previous[j] + (leftCharacter == rightCharacter ? 0 : 1))
                if i > 0, j > 0, leftCharacter == right[j - 1], left[i - 1] == rightCharacter {
                    distance = min(distance, beforePrevious[j - 1] + 1)
                }
                current.append(distance)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
