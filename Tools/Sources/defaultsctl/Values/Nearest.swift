/// What a person may have meant who mistyped a name.
///
/// The library's errors have the like, `NearestName`. It is not public, which it would have to be for this package, and
/// the two differ: here only a near name is a hint, whatever its case.
enum Nearest {
    /// `; did you mean volume?` where a name is near enough, else nothing.
    static func hint(_ name: String, among names: [String]) -> String {
        // Comparing takes the product of both lengths.
        guard name.count <= 64 else { return "" }
        let near = names.filter { $0.count <= 64 }.map {
            (name: $0, distance: distance(name.lowercased(), $0.lowercased()))
        }
        .min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, name.count / 3) else { return "" }
        return "; did you mean \(SafeText.name(near.name))?"
    }

    /// How many letters have to be put in, taken out or replaced.
    private static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (line, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in right.indices {
                let change = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, diagonal + 1, row[column] + 1)
            }
        }
        return row[right.count]
    }
}
