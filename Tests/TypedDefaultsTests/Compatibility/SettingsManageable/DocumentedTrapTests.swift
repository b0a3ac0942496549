/// The programmer's errors of which the documentation says that they end the program, other than those of a container's
/// subscripts and of watching.
import DefaultsStore
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

#if compiler(>=6.2)
    @Suite(.timeLimit(.minutes(60))) struct DocumentedTrapTests {
        @Test func `another suite's value in place of the standard one's`() async {
            let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Defaults.shared = Defaults(suite: .inMemory())
            }
            expect(exit, says: "use bootstrap(standard:)")
        }

        @Test func `a setting that no build can set, locked in release builds`() async {
            let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = SettingConfiguration("fixed", releaseLocked: true)
            }
            expect(exit, says: "releaseLocked: true has no meaning")
        }

        @Test func `two steps of a migration that have one name`() async {
            let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try DefaultsSuite.inMemory().migrate([
                    .remove("tidy", keys: "a"), .remove("tidy", keys: "b"),
                ])
            }
            expect(exit, says: "two steps of a migration have one name")
        }

        @Test func `a literal that is too large for a number`() async {
            let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                _ = DefaultsValue(floatLiteral: .infinity)
            }
            expect(exit, says: "cannot be a JSON number")
        }

        /// An optimised build's trap says nothing.
        private func expect(_ exit: ExitTest.Result?, says text: String) {
            #if DEBUG
                let said = String(decoding: exit?.standardErrorContent ?? [], as: UTF8.self)
                #expect(said.contains(text))
            #endif
        }
    }
#endif
