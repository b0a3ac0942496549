/// The name that was probably meant by one that does not exist.
package enum NearestName {
    /// Returns the name that takes the fewest changes of one character to get to; of several the first by its bytes.
    package static func of(_ name: String, among names: some Collection<KeyName>) -> String? {
        let wanted = Array(name)
        return names.sorted()
            .map { (name: $0.string, distance: distance(wanted, Array($0.string))) }
            .min { $0.distance < $1.distance }?.name
    }

    /// The Levenshtein distance.
    package static func distance(_ from: [Character], _ to: [Character]) -> Int {
        var row = Array(0...to.count)
        for (index, character) in from.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in to.indices {
                let replaced = diagonal + (character == to[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
            }
        }
        return row[to.count]
    }
}
