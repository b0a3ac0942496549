/// Who made a change, in words.
import DefaultsStore
import Testing

struct CauseTests {
    @Test(arguments: [
        (DefaultsChange.Cause.thisProcess, "this process"), (.otherProcess(12754), "process 12754"),
        (.otherProcess(nil), "another process"), (.fileEdited, "file edited"),
        (.defaultsChanged("factory\u{1B}[2J\n"), #"defaults changed: factory\u001B[2J\n"#),
    ])
    func `a cause is printed as a person reads it`(cause: DefaultsChange.Cause, text: String) {
        #expect("\(cause)" == text)
    }
}
