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

            What this tool knows of a program's keys is what the schema says that the settings name, as the program's \
            writeSchema writes it: types, bounds, defaults, descriptions. "write", "modify" and "load" refuse what it does not \
            allow, except with --force. The values that it calls writeOnly, a program's secrets, are hidden unless you say \
            --reveal. Without a schema nothing is refused and nothing is hidden.

            EXIT STATUS
              0   done
              1   there is no such key, or nothing to find or undo; of diff: something differs
              2   something is wrong with the suite's files
              64  the command line cannot be understood
              65  what was given as a value, or edited, cannot be used, or the schema does not allow it
              66  there is no such suite, file, version or schema
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
                    List.self, Read.self, Describe.self, Find.self, Explain.self, Watch.self, Wait.self,
                    Dump.self,
                    Docs.self, Path.self,
                ]),
            CommandGroup(
                name: "Changing",
                subcommands: [Write.self, Modify.self, Delete.self, Reset.self, Edit.self, Load.self]),
            CommandGroup(
                name: "Taking back",
                subcommands: [Undo.self, Redo.self, History.self, Diff.self, Restore.self]),
            CommandGroup(name: "Mending", subcommands: [Check.self]),
            CommandGroup(name: "On the screen", subcommands: [Browse.self]),
        ])
}
