import Synchronization

/// The layers that sources of default values own in the registration domain.
extension SuiteCore {
    /// Puts what a source has supplied into its layer, replacing all that it had supplied before.
    ///
    /// Observers of keys whose effective value changes are called with `.defaultsChanged(name)`, by this thread
    /// before this returns. A value that no file could hold is reported and left out. If the values are a changed
    /// copy of the current ones, the cost is that of what was changed.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - locked: the values that take precedence over everything except the administrator's file, and whose keys
    ///     nobody may set.
    ///   - parts: the files that the values are from, the highest first, in place of `values`.
    ///   - texts: the texts of `values` that have no type until a key gives them one.
    ///   - isSecret: whether all values are secrets.
    ///   - place: the path or URL that the values came from, for `explain`.
    ///   - age: how old the values are already.
    ///   - asked: when the source was asked for them, on the monotonic clock; nil for now. Values that were asked for
    ///     before those in place are dropped.
    ///   - isLastKnown: whether they were kept on disk by an earlier start.
    ///   - keepsPlace: whether an existing layer keeps its position, as when a followed file changes; otherwise it
    ///     takes precedence over all other layers, as the one read last.
    package func setLayer(
        _ name: String, values: LayerValues, locked: LayerValues = LayerValues(),
        parts: [DefaultsLayer.Part] = [], texts: [KeyName: FileText] = [:], isSecret: Bool = false,
        place: String?, age: Duration = .zero, asked: UInt64? = nil, isLastKnown: Bool = false,
        keepsPlace: Bool = false
    ) {
        for fault in values.refusals + locked.refusals + parts.flatMap(\.values.refusals) {
            report(fault.inSuite(self.name))
        }
        let parts = parts.map { DefaultsLayer.Part(values: $0.values.sound, place: $0.place) }
        var sound = values.sound
        for part in parts.reversed() { sound.put(part.values) }
        let layer = DefaultsLayer(
            name: name, values: sound, parts: parts, texts: texts, isSecret: isSecret, locked: locked.sound,
            place: place, ageThen: age, loaded: SystemCalls.monotonicNanoseconds,
            asked: asked ?? SystemCalls.monotonicNanoseconds, isLastKnown: isLastKnown)
        // Before the values are there, so that none is ever printed.
        if isSecret { hasSecrets.store(true, ordering: .releasing) }
        let hasTexts = domains.load().contents.layers.contains { $0.name == name && !$0.texts.isEmpty }
        if hasTexts || !texts.isEmpty {
            return addTexts(.defaultsChanged(name)) { $0.setting(layer, keepsPlace: keepsPlace) }
        }
        changeDomains(
            .defaultsChanged(name), touched: { $0.keysTouched(by: layer, keepsPlace: keepsPlace) },
            { $0.setting(layer, keepsPlace: keepsPlace) })
    }

    /// Removes a source's layer; it is not an error if there is none.
    package func removeLayer(_ name: String) {
        changeDomains(.defaultsChanged(name)) { $0.removingLayer(name) }
    }

    /// The layers of the sources, the one with the highest precedence first.
    package var layers: [DefaultsLayer] { domains.load().contents.layers }

    /// Returns the texts of some values; what no file could hold is reported and left out.
    func storable(_ values: [String: DefaultsValue]) -> [KeyName: StoredValue] {
        var texts: [KeyName: StoredValue] = [:]
        for (key, value) in values {
            do {
                texts[try KeyName.validated(key)] = try StoredValue.checked(value, forKey: key, in: name)
            } catch {
                report(error)
            }
        }
        return texts
    }
}
