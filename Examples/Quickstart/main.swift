import TypedDefaults

// Started by itself with a folder's name, the program is the second process of the story.
if CommandLine.arguments.count == 2 {
    try beTheSecondProcess(in: CommandLine.arguments[1])
} else {
    try await tellTheStory(in: "/tmp/typed-defaults-quickstart.\(processID)")
}

func tellTheStory(in folder: String) async throws {
    try DefaultsSuite.bootstrap(standard: DefaultsSuite("player", in: folder))

    print("1. Nothing is stored yet, so each key gives its default.")
    print(
        "   quality \(Defaults[.quality]), theme \(Defaults[.theme]), nickname \(Defaults[.nickname] ?? "none")"
    )

    print("2. Assigning stores. Changing in place is atomic between threads and processes.")
    Defaults[.theme] = .dark
    Defaults[.nickname] = "Ada"
    Defaults[.window].width = 1280
    Defaults[.quality] -= 0.3
    print(
        "   quality \(Defaults[.quality]), theme \(Defaults[.theme]), nickname \(Defaults[.nickname] ?? "none")"
    )

    print("3. An observer hears what was and what is, for as long as the object lives that it is tied to.")
    var player: Player? = Player()
    Defaults[.quality] += 0.25
    print("   the player goes\(player == nil ? "" : " now"); what is written next it does not hear")
    player = nil
    Defaults[.quality] += 0.15

    print("4. A second process opens the same suite and changes it. It is heard here.")
    let changes = Defaults.changes(.quality)
    try startTheSecondProcess(in: folder)
    for await change in changes {
        print("   heard: quality \(change.oldValue) -> \(change.newValue), by \(name(of: change.cause))")
        break
    }

    print("5. All of it is one JSON file, to read, to edit and to keep in git:")
    try DefaultsSuite.standard.checkpoint()
    print("   \(DefaultsSuite.standard.path ?? "")\n")
    print(try textOfSettings(), terminator: "")
}
