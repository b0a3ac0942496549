/// `Settings.bundle` folders.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@Suite(.ownThread, .timeLimit(.minutes(60))) struct SettingsBundleTests {
    private let suite = DefaultsSuite.inMemory()
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/Settings.bundle"
    }

    /// Writes a pane of some specifiers.
    private func write(
        _ specifiers: [[String: Any]], to pane: String,
        _ format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let list: [String: Any] = ["PreferenceSpecifiers": specifiers, "StringsTable": "Root"]
        try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            .write(to: URL(filePath: "\(path)/\(pane).plist"))
    }

    private func child(_ file: String) -> [String: Any] {
        ["Type": "PSChildPaneSpecifier", "Title": "More", "File": file]
    }

    private func setting(_ key: String, _ value: Any) -> [String: Any] {
        ["Type": "PSMultiValueSpecifier", "Title": "A title", "Key": key, "DefaultValue": value]
    }

    /// A switch, with what it stores for on and off if that is not a Boolean.
    private func toggle(_ key: String, _ value: Any, _ on: Any? = nil, _ off: Any? = nil) -> [String: Any] {
        var toggle: [String: Any] = ["Type": "PSToggleSwitchSpecifier", "Key": key, "DefaultValue": value]
        (toggle["TrueValue"], toggle["FalseValue"]) = (on, off)
        return toggle
    }

    private func read() async -> DefaultsError? {
        await suite.readingError(SettingsBundleDefaultValueSource(path: path))
    }

    @Test func `the defaults of all panes are the layer`() async throws {
        let group: [String: Any] = ["Type": "PSGroupSpecifier", "Title": "Group"]
        let noDefault: [String: Any] = ["Type": "PSTextFieldSpecifier", "Key": "empty"]
        let slider: [String: Any] = [
            "Type": "PSSliderSpecifier", "Key": "volume", "DefaultValue": 0.5, "MinimumValue": 0,
        ]
        try write([group, setting("on", true), slider, noDefault, child("More")], to: "Root")
        try write([setting("date", Date(timeIntervalSince1970: 0)), child("Deep")], to: "More", .binary)
        try write([setting("text", "abc")], to: "Deep")
        #expect(await read() == nil)
        #expect(
            suite.dictionaryRepresentation() == [
                "on": true, "volume": 0.5, "date": "1970-01-01T00:00:00Z", "text": "abc",
            ])
    }

    @Test func `a switch has a Boolean, unless it is between values of its own`() async throws {
        try write(
            [
                toggle("on", true), toggle("off", false), toggle("one", 1), toggle("zero", 0),
                toggle("yes", "YES", "YES", "NO"), toggle("no", "NO", "YES", "NO"), toggle("turned", 0, 0, 1),
                toggle("unit", "metric", "metric", "imperial"), toggle("level", 1, 5, 1),
            ], to: "Root")
        #expect(await read() == nil)
        #expect(
            suite.dictionaryRepresentation() == [
                "on": true, "off": false, "one": true, "zero": false, "yes": true, "no": false,
                "turned": false, "unit": "metric", "level": 1,
            ])
    }

    @Test func `panes that lead to one another are each read once`() async throws {
        try write([setting("a", 1), child("B"), child("Root"), child("B")], to: "Root")
        try write([setting("b", 2), child("Root"), child("B")], to: "B")
        #expect(await read() == nil)
        #expect(suite.dictionaryRepresentation() == ["a": 1, "b": 2])
    }

    @Test(arguments: [true, false])
    func `a key that occurs twice is refused, in one pane and in two`(isInOne: Bool) async throws {
        try write([child("B"), setting("a", 1)] + (isInOne ? [setting("a", 1)] : []), to: "Root")
        try write(isInOne ? [] : [setting("a", 1)], to: "B")
        let error = await read()
        #expect(error?.path == path + (isInOne ? "/Root.plist" : "/B.plist"))
        #expect(error?.underlyingDescription?.hasSuffix("the key \"a\" occurs twice") == true)
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test func `a default that its control cannot have is refused`() async throws {
        func slider(_ value: Any, _ least: Any? = nil, _ greatest: Any? = nil) -> [String: Any] {
            var slider: [String: Any] = ["Type": "PSSliderSpecifier", "Key": "k", "DefaultValue": value]
            (slider["MinimumValue"], slider["MaximumValue"]) = (least, greatest)
            return slider
        }
        func choice(_ value: Any, of values: [Any], _ type: String = "PSMultiValueSpecifier") -> [String: Any]
        {
            ["Type": type, "Key": "k", "DefaultValue": value, "Values": values, "Titles": ["A", "B"]]
        }
        let good = [
            slider(7.5), slider(7, 5, 10), slider(1, 0, 1), toggle("k", "YES"), toggle("k", 5, 5, 6),
            choice("b", of: ["a", "b"]),
            choice(1.0, of: [1, 2], "PSRadioGroupSpecifier"), setting("k", "anything"),
        ]
        for specifier in good {
            try write([specifier], to: "Root")
            #expect(await read() == nil, "\(specifier)")
        }
        let bad = [
            slider(1.5, nil, 1), slider(-1, 0), slider(4, 5, 10), slider("loud"), toggle("k", 2),
            toggle("k", "maybe"),
            toggle("k", 7, 5, 6), choice("c", of: ["a", "b"]),
            choice(3, of: [1, 2], "PSRadioGroupSpecifier"),
        ]
        for specifier in bad {
            try write([specifier], to: "Root")
            let error = await read()
            #expect(error?.path == path + "/Root.plist", "\(specifier)")
            #expect(
                error?.underlyingDescription?.hasSuffix(
                    "the default of \"k\" is none that its control can have") == true)
        }
    }

    @Test(arguments: ["../Outside", "/etc/passwd", "sub/Pane", "..", ".", "", "a\0b"])
    func `a pane's name may not leave the bundle`(name: String) async throws {
        try write([setting("a", 1)], to: "../Outside")
        try FileManager.default.createDirectory(
            atPath: path + "/sub", withIntermediateDirectories: false)
        try write([setting("a", 1)], to: "sub/Pane")
        try write([child("X")], to: "Root")
        let list = try String(contentsOfFile: path + "/Root.plist", encoding: .utf8)
        let named = list.replacing(
            "<string>X</string>",
            with: name == "a\0b" ? "<string>a&#0;b</string>" : "<string>\(name)</string>")
        try named.write(toFile: path + "/Root.plist", atomically: false, encoding: .utf8)
        let error = await read()
        #expect(error?.code == .sourceFailed)
        if name.contains("/") {
            #expect(error?.underlyingDescription?.hasSuffix("the name leads out of its folder") == true)
        }
        #expect(suite.dictionaryRepresentation() == [:])
    }

    @Test func `a pane that is a link is refused`() async throws {
        try write([child("B")], to: "Root")
        try folder.write("<plist><dict/></plist>", to: "outside.plist")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/B.plist", withDestinationPath: "../outside.plist")
        let error = await read()
        #expect(error?.path == path + "/B.plist")
        #expect(error?.underlyingDescription?.hasSuffix("it is a link") == true)
    }

    @Test func `a pane that is missing is named`() async throws {
        try write([child("B")], to: "Root")
        let error = await read()
        #expect(error?.path == path + "/B.plist")
        #expect(error?.systemError?.errno == ENOENT)
    }

    @Test func `a bundle that is missing has no defaults, and one without its first pane is an error`()
        async throws
    {
        #expect(await read() == nil)
        #expect(suite.dictionaryRepresentation() == [:])
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(await read()?.path == path + "/Root.plist")
    }

    static let odd = [
        ("<plist><dict/></plist>", "it has no array PreferenceSpecifiers"),
        (
            "<plist><dict><key>PreferenceSpecifiers</key><array><true/></array></dict></plist>",
            "a specifier is no dictionary"
        ),
        (
            "<plist><dict><key>PreferenceSpecifiers</key><array><dict><key>Type</key>"
                + "<string>PSChildPaneSpecifier</string></dict></array></dict></plist>",
            "a PSChildPaneSpecifier names no File"
        ),
        ("<plist>", "the text ends too soon"),
    ]

    @Test(arguments: odd)
    func `a pane that is none is named with the reason`(text: String, reason: String) async throws {
        try folder.write(text, to: "Settings.bundle/Root.plist")
        let error = await read()
        #expect(error?.path == path + "/Root.plist")
        #expect(error?.underlyingDescription == "\"\(path)\": \(reason)")
    }

    @Test func `without a path the bundle is beside the executable`() throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let expected = URL(filePath: program).deletingLastPathComponent().path + "/Settings.bundle"
        #expect(SettingsBundleDefaultValueSource().name == expected)
    }

    @Test func `a bundle is followed, its child panes too`() async throws {
        try write([child("B")], to: "Root")
        try write([setting("a", 1)], to: "B")
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
        let following = suite.follow(SettingsBundleDefaultValueSource(path: path))
        #expect(await heard.wait(for: 1))
        try write([setting("a", 2)], to: "B")
        #expect(await heard.wait { $0.last == 2 })
        withExtendedLifetime((observation, following)) {}
    }
}
