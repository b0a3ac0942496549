import DefaultsStore
import TestSupport
import Testing

/// Texts as a shell takes them.
struct ShellWordTests {
    @Test(arguments: [
        ("5", "5"), ("a,b", "a,b"), ("https://example.org/a_b@c", "https://example.org/a_b@c"),
        ("größe", "größe"), ("", "''"), ("a b", "'a b'"), ("[1]", "'[1]'"), ("it's", #"'it'\''s'"#),
        ("$HOME;", "'$HOME;'"),
    ])
    func `a word is quoted where the shell would make something else of it`(_ text: String, _ word: String)
        throws
    {
        #expect(ShellWord(text).description == word)
        #expect(try Tool.run("sh", ["-c", "printf %s \(word)"]).output == text)
    }
}
