/// What Locus documents, one test for each thing its users write. Sources with a URL are tested with
/// TypedDefaultsFoundation; what ends the program is in ContainerTrapTests.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private enum HostKey: String {
    case wait = "host.wait"
    case address = "host.address"
}

/// Something that uses settings.
private final class Client: Sendable {
    private let container: SettingsContainer
    init(_ container: SettingsContainer) { self.container = container }

    var wait: Double { Setting(HostKey.wait, container: self.container).wrappedValue }
    var address: URL { Setting<URL>(HostKey.address, container: self.container).wrappedValue }
}

/// A source as a program may write one.
private struct HostDefaults: DefaultValueSource {
    let name = "host"
    func defaultValues() async throws -> [String: DefaultsValue] { ["host.address": "http://own"] }
}

@Suite(.ownThread, .timeLimit(.minutes(60))) struct FromLocusTests {
    private let suite = DefaultsSuite.inMemory()
    private let container: SettingsContainer

    init() { container = SettingsContainer(suite: suite) }

    @Test func `settings are registered by enum and by text, with defaults of code or of a source`()
        async throws
    {
        container.register {
            readonly(HostKey.wait, default: .userDefaults)
            readonly("host.tries", default: .local(5))
            userDefault(HostKey.address)
        }
        #expect(container.registeredKeys == ["host.address", "host.tries", "host.wait"])
        let shipped = DictionaryDefaultValueSource(["host.wait": 30, "host.address": "http://shipped"])
        try await container.read(sources: shipped)
        let address: URL = container[HostKey.address]
        #expect(address == URL(string: "http://shipped"))
        #expect(container["host.wait"] as Double == 30)
        #expect(container["host.tries"] as Int == 5)
    }

    @Test func `configurations and functions stand side by side, each with where its values go`() throws {
        container.register {
            SettingConfiguration(HostKey.address, default: .local("http://localhost"))
            SettingConfiguration("host.pause", persistence: .userDefaults, default: .local(1.0))
            transient("host.tries", default: .local(5))
            userDefault("rows", default: .local(20))
        }
        try container.set("host.pause", to: 2.5)
        try container.set("host.tries", to: 6)
        try container.set("rows", to: 40)
        #expect(try suite.storedValues() == ["host.pause": 2.5, "rows": 40])
        #expect(container["host.tries"] as Int == 6)
        #expect(throws: DefaultsError.self) { try container.set(HostKey.address, to: "http://mine") }
        #expect(container[HostKey.address] as URL == URL(string: "http://localhost"))
    }

    @Test(arguments: [false, true])
    func `a setting that is locked in release builds is set in debug builds`(isRelease: Bool) {
        let container = SettingsContainer(suite: suite, isRelease: isRelease)
        container.register { transient("host.tries", releaseLocked: true, default: .local(5)) }
        var code: DefaultsError.Code?
        do throws(DefaultsError) { try container.set("host.tries", to: 6) } catch { code = error.code }
        #expect(code == (isRelease ? .locked : nil))
        #expect(container["host.tries"] as Int == (isRelease ? 5 : 6))
    }

    @Test func `the current value hides the default, which may change below it and shows again`() async throws
    {
        container.register { userDefault(HostKey.address, default: .local("http://code")) }
        container[HostKey.address] = "http://current"
        try await container.read(sources: HostDefaults())
        #expect(container[HostKey.address] as String == "http://current")
        try container.reset(HostKey.address)
        #expect(container[HostKey.address] as String == "http://own")
    }

    @Test func `a settings bundle supplies the defaults of its panes, the child ones too`() async throws {
        let folder = try TemporaryFolder()
        func pane(_ specifiers: String) -> String {
            "<plist><dict><key>PreferenceSpecifiers</key><array>\(specifiers)</array></dict></plist>"
        }
        try folder.write(
            pane(
                """
                <dict><key>Type</key><string>PSTextFieldSpecifier</string>
                <key>Key</key><string>host.address</string>
                <key>DefaultValue</key><string>http://bundle</string></dict>
                <dict><key>Type</key><string>PSChildPaneSpecifier</string>
                <key>File</key><string>More</string></dict>
                """), to: "Settings.bundle/Root.plist")
        try folder.write(
            pane(
                """
                <dict><key>Type</key><string>PSSliderSpecifier</string>
                <key>Key</key><string>host.wait</string><key>DefaultValue</key><real>7.5</real></dict>
                """), to: "Settings.bundle/More.plist")
        container.register {
            userDefault(HostKey.address)
            readonly(HostKey.wait)
        }
        let bundle = SettingsBundleDefaultValueSource(path: folder.path + "/Settings.bundle")
        let outcomes = Recorder<String?>()
        container.read(sources: bundle) { outcomes.append($0.map { "\($0)" }) }
        #expect(await outcomes.wait(for: 1))
        #expect(outcomes.all == [nil])
        let client = Client(container)
        #expect(client.address == URL(string: "http://bundle"))
        #expect(client.wait == 7.5)
    }

    @Test func `sources are read in their order, and one that fails is told to the callback`() async {
        container.register { userDefault(HostKey.address) }
        let order = Recorder<String>()
        let observation = suite.observe(forKey: "host.address", options: [.new]) {
            order.append($0.newValue?.string ?? "")
        }
        let missing = JSONDefaultValueSource(path: "/nonexistent/defaults.json")
        let last = DictionaryDefaultValueSource(["host.address": "http://last"], name: "last")
        let outcomes = Recorder<DefaultsError?>()
        container.read(sources: HostDefaults(), missing, last) { outcomes.append($0 as? DefaultsError) }
        #expect(await outcomes.wait(for: 1))
        #expect(outcomes.all.map { $0?.path } == ["/nonexistent/defaults.json"])
        #expect(order.all == ["http://own", "http://last"])
        observation.invalidate()
    }

    @Test func `a file of JSON is mapped to settings`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{ "servers": ["http://mapped"] }"#, to: "configuration.json")
        container.register { userDefault(HostKey.address) }
        let source = JSONDefaultValueSource(path: folder.path + "/configuration.json") { json in
            json["servers"]?[0].map { [HostKey.address.rawValue: $0] } ?? [:]
        }
        try await container.read(sources: source)
        #expect(container[HostKey.address] as String == "http://mapped")
    }

    @Test func `a mistyped key is found out`() {
        container.register { userDefault(HostKey.address, default: .local("")) }
        let error = #expect(throws: DefaultsError.self) {
            try container.value("host.adress", as: String.self)
        }
        #expect(error?.code == .unregisteredKey)
        #expect(error?.underlyingDescription?.contains("host.address") == true)
    }

    @Test func `changed defaults are followed, those of one key picked out`() async throws {
        container.register {
            userDefault(HostKey.address)
            readonly(HostKey.wait, default: .local(1))
        }
        let updates = container.defaultValueUpdates
        let shipped = DictionaryDefaultValueSource(["host.wait": 2])
        try await container.read(sources: shipped, HostDefaults())
        var heard: [DefaultsValue] = []
        for await (key, value) in updates where key == HostKey.address.rawValue {
            heard.append(value)
            break
        }
        #expect(heard == ["http://own"])
    }
}

#if compiler(>=6.2)
    private struct Form {
        @Setting(HostKey.wait) var wait: Double
        @Setting("host.address") var address: URL
    }

    /// The shared container, in a process of its own whose standard suite is in memory.
    @Suite(.timeLimit(.minutes(60))) struct FromLocusOnTheSharedContainerTests {
        @Test func `a property is connected with its setting by the key alone`() async {
            await #expect(processExitsWith: .success) {
                try DefaultsSuite.bootstrap(standard: .inMemory())
                SettingsContainer.shared.register {
                    readonly(HostKey.wait, default: .local(30.0))
                    userDefault(HostKey.address, default: .local("http://localhost"))
                }
                let form = Form()
                #expect(form.wait == 30)
                #expect(SettingsContainer.shared["host.address"] as URL == form.address)
                form.address = URL(filePath: "/elsewhere")
                #expect(SettingsContainer.shared[HostKey.address] as String == "file:///elsewhere")
            }
        }
    }
#endif
