/// The layers that sources of default values own in the registration domain.
extension SuiteCore {
    /// Puts what a source supplied into its layer, in place of all it had supplied before.
    ///
    /// Observers of keys whose effective value that changes fire with `.defaultsChanged(name)`, called by this thread
    /// before this returns. A value that no file could hold is reported and left out. Values that are a changed copy of
    /// the present ones cost what was changed.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - locked: the values that count before everything but the administrator's file, and whose keys nobody may set.
    ///   - place: the path or URL the values came from, for `explain`.
    ///   - age: how old the values are already.
    ///   - keepsPlace: whether a layer that is there keeps its place in the order, as when a followed file changes;
    ///     else it answers before all others, as the one read last.
    package func setLayer(
        _ name: String, values: LayerValues, locked: LayerValues = LayerValues(), place: String?,
        age: Duration = .zero, keepsPlace: Bool = false
    ) {
        for fault in values.refusals + locked.refusals { report(fault.inSuite(self.name)) }
        let layer = DefaultsLayer(
            name: name, values: values.sound, locked: locked.sound, place: place, ageThen: age,
            loaded: SystemCalls.monotonicNanoseconds)
        changeDomains(
            .defaultsChanged(name), touched: { $0.keysTouched(by: layer, keepsPlace: keepsPlace) },
            { $0.setting(layer, keepsPlace: keepsPlace) })
    }

    /// Takes a source's layer away; one that is not there is no failure.
    package func removeLayer(_ name: String) {
        changeDomains(.defaultsChanged(name)) { $0.removingLayer(name) }
    }

    /// The layers of the sources, the one that answers first at the front.
    package var layers: [DefaultsLayer] { domains.load().contents.layers }

    /// The texts of some values; what no file could hold is reported and left out.
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
