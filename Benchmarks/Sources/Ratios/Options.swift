/// What the command line says.
struct Options {
    /// The folder for everything that is written.
    var folder = ""
    /// How often each thing is measured.
    var rounds = 51
    var isMarkdown = false
    /// The file of counted instructions, if they were counted.
    var instructions: String?
    /// The file for the figures themselves, if they are wanted.
    var numbers: String?
    /// What was typed, and on which machine, for that file.
    var (command, machine) = ("", "")
    /// The items to measure.
    var items = Set(1...12)

    /// Reads the words after the program's name; nil where they are none of ours.
    init?(_ words: [String]) {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "--markdown": isMarkdown = true
            case "--folder": folder = words.popFirst() ?? ""
            case "--rounds": rounds = words.popFirst().flatMap { Int($0) } ?? 0
            case "--instructions": instructions = words.popFirst()
            case "--numbers": numbers = words.popFirst()
            case "--command": command = words.popFirst() ?? ""
            case "--machine": machine = words.popFirst() ?? ""
            case "--items": items = Set((words.popFirst() ?? "").split(separator: ",").compactMap { Int($0) })
            default: return nil
            }
        }
        guard !folder.isEmpty, rounds > 0, !items.isEmpty else { return nil }
    }
}
