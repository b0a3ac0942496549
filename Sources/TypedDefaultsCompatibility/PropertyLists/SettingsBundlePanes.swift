import DefaultsStore
import TypedDefaults
import TypedDefaultsPropertyLists

/// Walks through the panes of a settings bundle, each once.
struct SettingsBundlePanes {
    private let folder: String
    private var waiting = ["Root"]
    private var met: Set<String> = ["Root"]
    private var bytesLeft = ForeignFile.limit
    private var values: [String: DefaultsValue] = [:]

    init(folder: String) { self.folder = folder }

    /// Returns the default of every key; empty without a bundle.
    consuming func defaultValues() throws(DefaultsError) -> [String: DefaultsValue] {
        var panes = self
        if try ForeignFile.isMissing(panes.folder) { return [:] }
        while let name = panes.waiting.first {
            panes.waiting.removeFirst()
            try panes.read(name)
        }
        return panes.values
    }

    private mutating func read(_ name: String) throws(DefaultsError) {
        let file = name + ".plist"
        let bytes = try ForeignFile.read(file, inFolder: folder, limit: bytesLeft)
        bytesLeft -= bytes.count
        do throws(PropertyListFault) {
            let pane = try PropertyListValue.read(bytes)
            guard let specifiers = pane["PreferenceSpecifiers"]?.array else {
                throw PropertyListFault("it has no array PreferenceSpecifiers")
            }
            for specifier in specifiers { try take(specifier) }
        } catch {
            throw error.at(folder + "/" + file)
        }
    }

    private mutating func take(_ specifier: PropertyListValue) throws(PropertyListFault) {
        guard case .dictionary = specifier else { throw PropertyListFault("a specifier is no dictionary") }
        if let key = specifier["Key"]?.string, let value = specifier["DefaultValue"] {
            guard values[key] == nil else { throw PropertyListFault("the key \"\(key)\" occurs twice") }
            guard try specifier.allows(value) else {
                throw PropertyListFault("the default of \"\(key)\" is none that its control can have")
            }
            let truth = specifier.truth(of: value).map { DefaultsValue.bool($0) }
            values[key] = if let truth { truth } else { try value.defaultsValue() }
        }
        guard specifier["Type"]?.string == "PSChildPaneSpecifier" else { return }
        guard let child = specifier["File"]?.string else {
            throw PropertyListFault("a PSChildPaneSpecifier names no File")
        }
        if met.insert(child).inserted { waiting.append(child) }
    }
}

/// The meaning of a control's default, and the values it may have.
extension PropertyListValue {
    /// Whether the control offers a value: a slider within its bounds, a switch or a choice among its values.
    ///
    /// Without a list it offers any value.
    fileprivate func allows(_ value: PropertyListValue) throws(PropertyListFault) -> Bool {
        switch self["Type"]?.string {
        case "PSSliderSpecifier":
            guard let number = try value.defaultsValue().double else { return false }
            let least = try self["MinimumValue"]?.defaultsValue().double ?? number
            let greatest = try self["MaximumValue"]?.defaultsValue().double ?? number
            return least <= number && number <= greatest
        case "PSToggleSwitchSpecifier":
            let named = [self["TrueValue"], self["FalseValue"]].compactMap(\.self)
            if value.truth != nil, named.allSatisfy({ $0.truth != nil }) { return true }
            return try isOne(of: named, value)
        case "PSMultiValueSpecifier", "PSRadioGroupSpecifier":
            guard let values = self["Values"]?.array else { return true }
            return try isOne(of: values, value)
        default: return true
        }
    }

    private func isOne(
        of values: [PropertyListValue], _ value: PropertyListValue
    ) throws(PropertyListFault) -> Bool {
        let wanted = try value.defaultsValue()
        for value in values where try value.defaultsValue() == wanted { return true }
        return false
    }

    /// The Boolean of a default of this specifier; nil for anything but a switch between Booleans.
    fileprivate func truth(of value: PropertyListValue) -> Bool? {
        guard self["Type"]?.string == "PSToggleSwitchSpecifier" else { return nil }
        // The stored values of on and off may be declared; a program that declared other texts reads those.
        let named = [self["TrueValue"], self["FalseValue"]].compactMap(\.self)
        return named.allSatisfy { $0.truth != nil } ? value.truth : nil
    }

    /// The Boolean that `UserDefaults` reads from one of the usual forms.
    private var truth: Bool? {
        switch self {
        case .bool(let bool): bool
        case .integer(1), .string("YES"): true
        case .integer(0), .string("NO"): false
        default: nil
        }
    }
}
