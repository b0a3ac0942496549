/// How the rows of a screen are shared out.
struct Layout {
    /// The least size of a screen.
    static let least = Screen.Size(columns: 60, rows: 16)

    let isTooSmall: Bool
    /// The rows of the list, from the second one on.
    let list: Int
    /// The rows about the selected setting.
    let detail: Int
    /// The row of messages and of what is typed.
    let prompt: Int

    init(_ size: Screen.Size) {
        isTooSmall = size.columns < Layout.least.columns || size.rows < Layout.least.rows
        // The title, the rule, the prompt and the keys have one row each.
        let room = max(2, size.rows - 4)
        detail = min(room - 1, max(5, min(14, room * 2 / 5)))
        list = room - detail
        prompt = size.rows - 2
    }
}
