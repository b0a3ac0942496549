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

    /// How many letters have to be put in, taken out, replaced, or swapped with the next one.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for line in left.indices {
            var row = [line + 1]
            for column in right.indices {
                let change = left[line] == right[column] ? 0 : 1
                var least = min(rows[line][column] + change, row[column] + 1, rows[line][column + 1] + 1)
                let isSwapped =
                    line > 0 && column > 0 && left[line] == right[column - 1]
                    && left[line - 1] == right[column]
                if isSwapped { least = min(least, rows[line - 1][column - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[left.count][right.count]
    }
}
