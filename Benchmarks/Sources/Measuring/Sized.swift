/// Settings of a stated number of keys, the same for each library.
public enum Sized {
    /// The key that is asked for; it stands in the middle.
    public static let wanted = "wanted"
    /// Its value.
    public static let value = 0.25

    /// The names and values of so many keys.
    public static func entries(_ count: Int) -> [(key: String, value: Double)] {
        (0..<count).map { place in
            place == count / 2 ? (wanted, value) : ("key\(place)", Double(place) + 0.5)
        }
    }

    /// The same as a JSON file's text, a member to a line.
    public static func json(_ count: Int) -> String {
        let members = entries(count).map { "  \"\($0.key)\": \($0.value)" }
        return "{\n" + members.joined(separator: ",\n") + "\n}\n"
    }
}
