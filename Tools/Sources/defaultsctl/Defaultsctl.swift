import ArgumentParser

/// The root command: what the tool is, and its list of commands.
struct Defaultsctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "defaultsctl",
        abstract: "Look into suites of settings, change, watch and repair them, and take changes back.",
        discussion: """
            A suite is named with --suite, in the folder that programs use by themselves or in --directory; any other \
            settings file with --file. What is written here, running programs hear at once, and nothing that they \
            write meanwhile is lost.

            This tool does not know the declarations of the programs whose settings it shows: neither their own defaults \
            and rules nor which keys they declare as secret. What it hides, unless you say --reveal, are the values that the \
            schema which the settings name calls writeOnly, as a program's writeSchema does with its secret keys.

            EXIT STATUS
              0   done
              1   there is no such key, or nothing to undo; of diff: something differs
              2   something is wrong with the suite's files
              64  the command line cannot be understood
              65  what was given as a value, or edited, cannot be used
              66  there is no such suite, file or version
              70  a program that was started, such as the editor, failed
              74  the system refused to read or write
              75  another writer was in the way; try again; of wait: it did not come in time
              77  it is not allowed: locked by the administrator, read-only, another user's, an unsafe folder, or hidden

            SHELL COMPLETION
              defaultsctl --generate-completion-script bash|zsh|fish
            """,
        version: "0.1.0",
        groupedSubcommands: [
            CommandGroup(
                name: "Looking",
                subcommands: [
                    List.self, Read.self, Explain.self, Watch.self, Wait.self, Dump.self, Path.self,
                ]),
            CommandGroup(
                name: "Changing", subcommands: [Write.self, Modify.self, Delete.self, Edit.self, Load.self]),
            CommandGroup(
                name: "Taking back",
                subcommands: [Undo.self, Redo.self, History.self, Diff.self, Restore.self]),
            CommandGroup(name: "Mending", subcommands: [Check.self]),
            CommandGroup(name: "On the screen", subcommands: [Browse.self]),
        ])
}
