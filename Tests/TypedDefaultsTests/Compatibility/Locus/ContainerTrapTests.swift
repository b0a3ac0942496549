/// What ends the program, since a subscript cannot throw, and that it says why.
import DefaultsStore
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

#if compiler(>=6.2)
    @Suite(.timeLimit(.minutes(60))) struct ContainerTrapTests {
        private static func container() -> SettingsContainer {
            let suite = DefaultsSuite.inMemory()
            suite.onFailure = { SystemCalls.writeToStandardError("onFailure: \($0)") }
            let container = SettingsContainer(suite: suite, isRelease: true)
            container.register {
                readonly("fixed", default: .local(5))
                transient("debugged", releaseLocked: true, default: .local(5))
                userDefault("sourced")
            }
            return container
        }

        @Test func `reading a key that is not registered`() async {
            let exit = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                _ = ContainerTrapTests.container()["fixt"] as Int
            }
            #expect(said(exit).contains("the nearest registered key is \"fixed\""))
        }

        @Test func `writing a readonly setting`() async {
            let exit = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                ContainerTrapTests.container()["fixed"] = 6
            }
            #expect(said(exit).contains("it is registered as readonly"))
        }

        @Test func `writing a setting that is locked in release builds`() async {
            let exit = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                ContainerTrapTests.container()["debugged"] = 6
            }
            #expect(said(exit).contains("it is registered as locked in release builds"))
        }

        @Test func `reading a setting before a source has supplied its default`() async {
            let exit = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                _ = ContainerTrapTests.container()["sourced"] as Int
            }
            #expect(said(exit).contains("no source has supplied its default yet"))
        }

        @Test func `reading a local default as a type it is none of`() async {
            let exit = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                _ = ContainerTrapTests.container()["fixed"] as String
            }
            #expect(said(exit).contains("The value is not of its key's type (key \"fixed\""))
        }

        @Test func `registering a key twice`() async {
            let exit = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                ContainerTrapTests.container().register { readonly("fixed") }
            }
            #expect(said(exit).contains("The key is registered already (key \"fixed\""))
        }

        /// What the program said, first of all to the suite's failures: an optimised build's trap says nothing.
        private func said(_ exit: ExitTest.Result?) -> String {
            let text = String(decoding: exit?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("onFailure: "))
            return text
        }
    }
#endif
