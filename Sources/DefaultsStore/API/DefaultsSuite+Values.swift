/// Access by key name, without types, as in `UserDefaults`.
extension DefaultsSuite {
    /// Returns the effective value of a key.
    ///
    /// It is that of the highest domain with a value that the declared key, if there is one, can use;
    /// otherwise the key's default. A failure is reported to ``failures``, and the last good values are used;
    /// ``storedValues()`` throws instead.
    ///
    /// - Cost: looks through the domains and reads the value from its text at each call; a typed key caches
    ///   it.
    public func value(forKey key: String) -> DefaultsValue? {
        let name = KeyName(key)
        let view = context.viewReporting()
        return context.value(of: context.text(name, in: view), forKey: name, view.domains)
    }

    /// Returns the value as a Boolean: true for `true`, a number other than 0, and `"true"`, `"yes"`, `"on"`, `"1"`,
    /// `"y"`, `"t"` in any case.
    ///
    /// Cost and failures are those of ``value(forKey:)``.
    public func bool(forKey key: String) -> Bool {
        switch value(forKey: key) {
        case .bool(let value): value
        case .number(let number): !DecimalValue(number.text).isZero
        case .string(let text): BareText.truth(text) == true
        default: false
        }
    }

    /// Returns the value as an integer: a number without its fraction, also of `"42"`, and `true` as 1; otherwise 0.
    ///
    /// Cost and failures are those of ``value(forKey:)``.
    public func integer(forKey key: String) -> Int {
        guard let value = value(forKey: key) else { return 0 }
        if let whole = value.int { return whole }
        if let flag = value.bool { return flag ? 1 : 0 }
        // By its digits, because a `Double` rounds a large number with a fraction to another one.
        if case .number(let number) = value { return DecimalValue(number.text).whole.integer() ?? 0 }
        guard let text = value.string else { return 0 }
        return Int(text) ?? decimal(text).flatMap { Int(exactly: $0.rounded(.towardZero)) } ?? 0
    }

    /// Returns the value as a number, also of `"0.5"`, and `true` as 1; otherwise 0, also of `"0x10"`.
    ///
    /// `"Infinity"`, `"-Infinity"` and `"NaN"`, which stand for the numbers that JSON does not have, are read as these.
    ///
    /// Cost and failures are those of ``value(forKey:)``.
    public func double(forKey key: String) -> Double {
        guard let value = value(forKey: key) else { return 0 }
        if let flag = value.bool { return flag ? 1 : 0 }
        return value.double ?? value.string.flatMap { decimal($0) ?? DefaultsValue.nonFinite(named: $0) } ?? 0
    }

    /// The finite number that a text spells in decimal; `Double` reads more, which no JSON number can be.
    private func decimal(_ text: String) -> Double? {
        let isDecimal = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        }
        guard isDecimal, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Returns the value as a string, a number or Boolean as it is written; nil for anything else.
    ///
    /// Cost and failures are those of ``value(forKey:)``.
    public func string(forKey key: String) -> String? {
        switch value(forKey: key) {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let flag): flag ? "true" : "false"
        default: nil
        }
    }

    /// Stores a value.
    ///
    /// Observers in this process with `.immediate` delivery are called on the calling thread before this
    /// returns.
    ///
    /// - Cost: six system calls while no other process writes, whatever the size of the suite; none waits for
    ///   the disk, except on a network or user-space file system. For a declared key also the decoding of the
    ///   value.
    /// - Guarantee: on return every process sees it, and it survives a kill.
    /// - Throws: `.typeMismatch` and `.invalidValue` for a value that a declared key cannot use.
    ///   `.invalidValue` if a validation across keys would fail. `.locked`, `.invalidKey`, `.valueTooLarge`,
    ///   `.lockTimeout`, `.readOnly`, `.insecureDirectory`, `.unsupportedFormat`, `.diskFull`, `.ioFailure`. The old value
    ///   is still there.
    public func set(_ value: DefaultsValue, forKey key: String) throws(DefaultsError) {
        let (known, text) = try checked(value, forKey: key)
        try context.checkUse(of: text, forKey: known)
        try context.write(text, forKey: known)
    }

    /// Stores a value whether or not a key that is declared under the name can use it.
    ///
    /// For example to restore a file's value. If the key cannot use it, reads return the lower domains'
    /// value, otherwise its default, and ``problems()`` lists it.
    ///
    /// - Throws: what ``set(_:forKey:)-(DefaultsValue,_)`` throws, except what the key itself refuses.
    public func setUnchecked(_ value: DefaultsValue, forKey key: String) throws(DefaultsError) {
        let (known, text) = try checked(value, forKey: key)
        try context.write(text, forKey: known)
    }

    /// Removes the stored value; those of other domains stay.
    ///
    /// It is not an error if the key is not stored. A locked key loses its stored value too; its locked value
    /// applies as before.
    ///
    /// - Throws: what ``set(_:forKey:)-(DefaultsValue,_)`` throws, except `.valueTooLarge` and `.locked`; the value is still there then.
    public func removeValue(forKey key: String) throws(DefaultsError) {
        try context.write([StoredChange(nil, forKey: try validated(key), passesLocks: true)])
    }

    /// Removes all stored values, including those of undeclared and of locked keys; other domains' values stay.
    ///
    /// Members that are no settings stay too: the name of the file's schema, `$schema`, and the names of
    /// the steps that ``migrate(_:list:)`` has run.
    ///
    /// It is one transaction. A settings file that does not parse is replaced, and its bytes are kept as a
    /// copy in its folder.
    ///
    /// - Throws: what ``removeValue(forKey:)`` throws, except `.invalidKey`; all values are still there then.
    public func removeAll() throws(DefaultsError) { try context.removeAll() }

    /// Adds values to the registration domain: defaults for keys without a stored value, in this process
    /// only.
    ///
    /// A later registration of a name replaces an earlier one. A value that no file could contain, or whose
    /// name cannot be a key, is reported and left out. Observers of changed keys are called on this thread if
    /// their delivery is `.immediate`, with the cause `.defaultsChanged("register(defaults:)")`.
    ///
    /// ```swift
    /// DefaultsSuite.standard.register(defaults: ["volume": 0.5])
    /// ```
    public func register(defaults: [String: DefaultsValue]) {
        let values = context.storable(defaults)
        context.changeDomains(.defaultsChanged("register(defaults:)")) { $0.registering(values) }
    }

    /// Returns all effective values: those of every domain, and the defaults of declared keys, without `$schema`.
    ///
    /// Two names that differ only in their Unicode form are two keys of the file but one key of this dictionary. A
    /// failure to read is reported to ``failures``, and the last good values are used.
    ///
    /// - Cost: reads every value from its text.
    public func dictionaryRepresentation() -> [String: DefaultsValue] {
        snapshot().dictionaryRepresentation()
    }

    /// Returns the stored values alone.
    ///
    /// - Throws: `.malformedFile`, `.ioFailure`, `.insecureDirectory`: an empty result means an empty suite. `.readOnly` if
    ///   there is no suite and none can be created.
    /// - Cost: reads every value from its text.
    public func storedValues() throws(DefaultsError) -> [String: DefaultsValue] {
        let view = try context.view()
        if let fault = view.snapshot.fault { throw fault.inSuite(name) }
        return try view.storedValues()
    }

    func validated(_ key: String) throws(DefaultsError) -> KeyName {
        do { return try KeyName.validated(key) } catch { throw error.inSuite(name) }
    }

    /// Returns a key's name and a value's text, if they may be written.
    ///
    /// - Throws: `.invalidKey`, `.valueTooLarge`.
    func checked(_ value: DefaultsValue, forKey key: String) throws(DefaultsError) -> (KeyName, StoredValue) {
        (try validated(key), try StoredValue.checked(value, forKey: key, in: name))
    }
}

extension StoredValue {
    /// Returns the text of a value that a file can hold.
    ///
    /// - Throws: `.valueTooLarge` over 16 MiB or 128 levels.
    package static func checked(
        _ value: DefaultsValue, forKey key: String, in suite: String?
    ) throws(DefaultsError) -> StoredValue {
        guard !value.isDeeper(than: JSONScanner.deepest) else {
            throw DefaultsError(
                .valueTooLarge, suite: suite, key: key, underlyingDescription: "it is nested too deep")
        }
        return try StoredValue(value).checkingSize(forKey: key, in: suite)
    }

    /// Refuses a text over 16 MiB.
    package func checkingSize(forKey key: String, in suite: String?) throws(DefaultsError) -> StoredValue {
        guard bytes.count <= StoredValue.greatestLength else {
            throw DefaultsError(
                .valueTooLarge, suite: suite, key: key, underlyingDescription: "it takes \(bytes.count) bytes"
            )
        }
        return self
    }
}

/// Storing what a variable of a plain type holds, as `UserDefaults` has it.
///
/// They are disfavoured and generic, so that a literal, and what begins with a dot, is a ``DefaultsValue`` as before.
extension DefaultsSuite {
    /// Stores a Boolean.
    ///
    /// Cost and guarantee are as for ``set(_:forKey:)-(DefaultsValue,_)``.
    ///
    /// - Throws: what that throws; the old value is still there.
    @_disfavoredOverload
    public func set(_ value: Bool, forKey key: String) throws(DefaultsError) {
        try set(DefaultsValue.bool(value), forKey: key)
    }

    /// Stores an integer.
    ///
    /// Cost and guarantee are as for ``set(_:forKey:)-(DefaultsValue,_)``.
    ///
    /// - Throws: what that throws; the old value is still there.
    @_disfavoredOverload
    public func set<Value: BinaryInteger>(_ value: Value, forKey key: String) throws(DefaultsError) {
        try set(DefaultsValue.number(DefaultsNumber(value)), forKey: key)
    }

    /// Stores a floating-point number.
    ///
    /// A `Float` has no more digits than it needs. A non-finite number, which JSON does not have, is stored
    /// by its name.
    ///
    /// Cost and guarantee are as for ``set(_:forKey:)-(DefaultsValue,_)``.
    ///
    /// - Throws: what that throws; the old value is still there.
    @_disfavoredOverload
    public func set<Value: BinaryFloatingPoint>(_ value: Value, forKey key: String) throws(DefaultsError) {
        try set((value as? Float).map(DefaultsValue.init) ?? DefaultsValue(Double(value)), forKey: key)
    }

    /// Stores a string.
    ///
    /// Cost and guarantee are as for ``set(_:forKey:)-(DefaultsValue,_)``.
    ///
    /// - Throws: what that throws; the old value is still there.
    @_disfavoredOverload
    public func set<Text: StringProtocol>(_ value: Text, forKey key: String) throws(DefaultsError) {
        try set(DefaultsValue.string(String(value)), forKey: key)
    }
}

/// Which suites there are.
extension DefaultsSuite {
    /// Returns the default folder of the suites' folders.
    ///
    /// `$XDG_CONFIG_HOME` if it is absolute, otherwise `~/.config`; on Apple's systems `~/Library/Application
    /// Support`.
    ///
    /// - Throws: `.ioFailure` if the user has no home.
    public static func defaultDirectory() throws(DefaultsError) -> String { try SuiteName.defaultParent() }

    /// Returns the names of the suites in a folder, sorted by their bytes; none if the folder is missing.
    ///
    /// ```swift
    /// for name in try DefaultsSuite.names() { print(name) }
    /// ```
    ///
    /// A suite is a folder that this library has opened before. Its lock file or journal shows that, in the
    /// folder of the link's target if `settings.json` is a link. Other programs keep a `settings.json` in a
    /// folder of their own, too. Listing opens none of the suites.
    ///
    /// - Parameters:
    ///   - directory: the folder that contains the suites' folders; nil for ``defaultDirectory()``.
    ///   - skipped: called for each folder that may not be entered, and so may hide a suite.
    /// - Throws: `.ioFailure` if the folder cannot be listed, `.insecureDirectory` if it is no folder.
    ///   `.invalidSuiteName` if its path is empty, contains a NUL or begins with `~name/`. A listing is never
    ///   partial.
    public static func names(
        in directory: String? = nil, skipped: (DefaultsError) -> Void = { _ in }
    ) throws(DefaultsError) -> [String] {
        let parent = try SuiteName.parent(directory)
        let folders = try DefaultsError.reading(
            parent, SystemError.nilIfMissing(SystemCalls.names(in: SystemCalls.openFile(parent))))
        var names: [String] = []
        for folder in folders ?? [] {
            // Checked first, because no suite's name leads to other folders, whatever is wrong with them.
            guard let name = SuiteName.name(ofFolder: folder) else { continue }
            let location = SuiteLocation(folder: parent + "/" + folder, allowsInsecureDirectory: true)
            do throws(DefaultsError) {
                if try isSuite(location) { names.append(name) }
            } catch {
                guard let refusal = error.systemError, refusal.isForbidden else { throw error }
                // Unless it is the surrounding folder that may not be looked into.
                _ = try DefaultsError.reading(parent, SystemCalls.status(path: location.folder))
                skipped(.reading(location.folder, refusal))
            }
        }
        return names.sorted(byName: { KeyName($0) })
    }

    private static func isSuite(_ own: SuiteLocation) throws(DefaultsError) -> Bool {
        var location = own
        // As many links as are followed when a suite is opened.
        for _ in 0...8 {
            for path in [location.lockPath, location.journalPath] {
                if try status(path)?.isRegular == true { return true }
            }
            guard try status(location.path)?.isSymbolicLink == true,
                let target = try target(of: location)
            else { return false }
            location = target
        }
        return false
    }

    /// Where the settings file leads that is a link; nil for a path that no suite can have.
    private static func target(of location: SuiteLocation) throws(DefaultsError) -> SuiteLocation? {
        let path: String
        do { path = try SystemCalls.linkTarget(location.path) } catch {
            guard error.isMissing || error.isNoText else { throw .reading(location.path, error) }
            return nil
        }
        return SuiteLocation(
            path: SystemCalls.isAbsolute(path) ? path : location.folder + "/" + path,
            allowsInsecureDirectory: true)
    }

    /// Nil if there is nothing, or a component of the path is not a folder.
    private static func status(_ path: String) throws(DefaultsError) -> FileStatus? {
        do { return try SystemCalls.status(path: path) } catch {
            guard error.isMissing || error.isUnsafePlace else { throw .reading(path, error) }
            return nil
        }
    }
}
