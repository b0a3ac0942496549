/// The last known layers of the sources that a suite follows, on disk.
extension SuiteCore {
    /// Returns the path of what is kept of a source; nil for a suite in memory, of which nothing is.
    package func pathOfKnownLayer(of source: String) -> String? { knownLayerFile(of: source)?.path }

    /// Returns what is kept of a source, nil if nothing is.
    ///
    /// - Throws: `.insecureDirectory`, `.malformedFile`, `.valueTooLarge`, `.io`.
    package func knownLayer(of source: String) throws(DefaultsError) -> KnownLayer? {
        try knownLayerFile(of: source)?.read()
    }

    /// Keeps a source's layer, unless a later one is kept already.
    ///
    /// - Throws: `.valueTooLarge`, `.insecureDirectory`, `.readOnly`, `.diskFull`, `.io`; what was kept still is then.
    package func keep(_ layer: KnownLayer, of source: String) throws(DefaultsError) {
        try knownLayerFile(of: source)?.write(layer)
    }

    /// Removes what is kept of a source.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.io`; what was kept still is then.
    package func forgetKnownLayer(of source: String) throws(DefaultsError) {
        try knownLayerFile(of: source)?.remove()
    }

    private func knownLayerFile(of source: String) -> KnownLayerFile? {
        location.map { KnownLayerFile(of: source, beside: $0) }
    }
}
