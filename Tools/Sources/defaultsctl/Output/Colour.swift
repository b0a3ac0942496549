/// The few colours of the output, by what they mean.
enum Colour: String {
    case key = "36"
    case value = "32"
    case faint = "2"
    case strong = "1"
    case warning = "33"
    case error = "31"

    /// The text in this colour, or as it is where there is none.
    func callAsFunction(_ text: String, if isOn: Bool = Output.hasColour) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
