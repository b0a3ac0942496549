import ArgumentParser

/// What the parser's completion script for bash lacks.
enum BashCompletion {
    /// The error, which is how the parser hands a script out, with what is lacking where it is the script for bash.
    static func completed(_ error: any Error) -> any Error {
        let script = Defaultsctl.completionScript(for: .bash)
        guard Defaultsctl.message(for: error) == script else { return error }
        return CleanExit.message(script + "\n" + wholeOptions)
    }

    /// Bash hands over `--suite=name` as three words, so that the script would take the sign for the option's value.
    private static let wholeOptions = #"""

        # Bash takes --option=value apart. The functions above know it as one word, or as two where the value is being typed.
        _defaultsctl_whole_options() {
            local -a words=("${COMP_WORDS[0]}")
            local -i index current=0
            for ((index = 1; index < ${#COMP_WORDS[@]}; index++)); do
                if [[ "${COMP_WORDS[index]}" != '=' || "${COMP_WORDS[index - 1]}" != --?* ]]; then
                    words+=("${COMP_WORDS[index]}")
                elif ((index == COMP_CWORD)); then
                    words+=('')
                elif ((index + 1 != COMP_CWORD)); then
                    index+=1
                    words[${#words[@]} - 1]+="=${COMP_WORDS[index]}"
                fi
                if ((index == COMP_CWORD)); then current=$((${#words[@]} - 1)); fi
            done

            local -a COMP_WORDS=("${words[@]}")
            local -i COMP_CWORD="${current}"
            _defaultsctl "${1}" "${2#=}" "${COMP_WORDS[COMP_CWORD - 1]}"
        }

        complete -o filenames -F _defaultsctl_whole_options defaultsctl
        """#
}
