/// A watch that would never hear anything ends the program, and says why.
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

#if compiler(>=6.2)
    @Suite(.timeLimit(.minutes(60))) struct WatchTrapTests {
        /// A type with a property that rests on a key, and one that rests on nothing.
        private struct Settings: PropertyWatchable, Sendable {
            static let size = Defaults.Key<Int>("size", default: 1, suite: .inMemory())
            var size: Int { Defaults[Settings.size] }
            var five: Int { 5 }
        }

        @Test func `watching a property that rests on nothing ends the program`() async {
            let exit = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                Settings().watch(\.five) {}
            }
            #if DEBUG
                let said = String(decoding: exit?.standardErrorContent ?? [], as: UTF8.self)
                #expect(said.contains("reads no key and no @Watched property, so it cannot be watched"))
            #else
                withExtendedLifetime(exit) {}
            #endif
        }

        @Test func `watching one that rests on a key does not`() async {
            await #expect(processExitsWith: .success) {
                Settings().watch(\.size) {}
            }
        }
    }
#endif
