/// F23: the last known layer of one source: `TDK1 <checksum>`, then a line each for what is told of the layer, for its
/// values, and for those that it locks.
struct KnownLayerFile {
    private let source: String
    private let location: SuiteLocation

    var path: String { location.path }

    /// In bytes.
    static let limit = SettingsFile.limit
    private static let magic = "TDK1 "

    init(of source: String, beside settings: SuiteLocation) {
        self.source = source
        location = SuiteLocation(
            folder: settings.path(of: ".\(settings.settings).known"),
            settings: String(decoding: Hexadecimal.digits(KnownLayerFile.hash(source), 16), as: UTF8.self),
            allowsInsecureDirectory: settings.allowsInsecureDirectory)
    }

    /// FNV-1a, which unlike the hash of an index is the same in every process.
    private static func hash(_ source: String) -> UInt64 {
        source.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Reads the layer, if the file is whole, and nobody but its owner can have written it.
    ///
    /// - Returns: nil if nothing is kept.
    /// - Throws: `.insecureDirectory`, `.malformedFile`, `.valueTooLarge`, `.ioFailure`.
    func read() throws(DefaultsError) -> KnownLayer? {
        guard let folder = try WholeFile.openExistingFolder(of: location),
            let opened = try RegularFile.open(location.settings, in: folder, path)
        else { return nil }
        let read = try RegularFile.readWhole(opened.file, opened.status, path, limit: KnownLayerFile.limit) {
            (status) throws(DefaultsError) in
            try TrustedFolder.check(status, path)
        }
        guard let layer = layer(in: read.bytes) else {
            throw DefaultsError(
                .malformedFile, path: path, underlyingDescription: "it is not as it was written")
        }
        return layer
    }

    /// Keeps a layer, unless one that was known later is kept already.
    ///
    /// - Throws: `.valueTooLarge`, `.insecureDirectory`, `.readOnly`, `.diskFull`, `.ioFailure`; what was kept still is then.
    func write(_ layer: KnownLayer) throws(DefaultsError) {
        let text = text(of: layer)
        guard text.count <= KnownLayerFile.limit else { throw DefaultsError(.valueTooLarge, path: path) }
        guard !isOlder(layer) else { return }
        let folder = try WholeFile.openFolder(of: location)
        WholeFile.removeLeftovers(in: folder) { $0 == location.settings }
        // Never like the one before, whose mode somebody may have opened.
        _ = try WholeFile.put(text, like: FileAttributes(of: nil), at: location, in: folder)
    }

    /// Removes what is kept.
    ///
    /// - Throws: `.insecureDirectory`, `.readOnly`, `.ioFailure`; what was kept still is then.
    func remove() throws(DefaultsError) {
        guard let folder = try WholeFile.openExistingFolder(of: location) else { return }
        WholeFile.removeLeftovers(in: folder) { $0 == location.settings }
        try DefaultsError.writing(path, SystemCalls.remove(location.settings, in: folder))
    }

    /// Whether another process, or an earlier following, has kept what came later.
    private func isOlder(_ layer: KnownLayer) -> Bool {
        do {
            guard let present = try read() else { return false }
            // A time to come is a clock's that has been set back.
            return present.time > layer.time && present.time <= KnownLayer.now
        } catch {
            // What cannot be used is replaced. Where it is the folder that cannot, the write says so.
            return false
        }
    }

    private func text(of layer: KnownLayer) -> [UInt8] {
        let head = DefaultsObject([
            (key: "source", value: .string(source)),
            (key: "place", value: layer.location.map { .string($0) } ?? .null),
            (key: "milliseconds", value: .number(DefaultsNumber(layer.time))),
        ])
        let body =
            JSONWriter.text(of: .object(head)) + [UInt8(ascii: "\n")] + line(layer.values)
            + line(layer.locked)
        return header(of: body[...]) + body
    }

    private func header(of body: ArraySlice<UInt8>) -> [UInt8] {
        Array(KnownLayerFile.magic.utf8) + Hexadecimal.digits(UInt64(Checksum.crc32c(body)), 8)
            + [UInt8(ascii: "\n")]
    }

    private func line(_ values: LayerValues) -> [UInt8] {
        var line = [UInt8(ascii: "{")]
        for key in values.keys.sorted() {
            guard let text = values[key] else { continue }
            if line.count > 1 { line.append(UInt8(ascii: ",")) }
            line += JSONWriter.quoted(key.string)
            line.append(UInt8(ascii: ":"))
            line += text.onOneLine.bytes
        }
        return line + [UInt8(ascii: "}"), UInt8(ascii: "\n")]
    }

    /// Nil for a text that was not written for this source.
    private func layer(in text: [UInt8]) -> KnownLayer? {
        guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let body = text[(end + 1)...]
        guard text[...end].elementsEqual(header(of: body)) else { return nil }
        let lines = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == 4, let head = document(lines[0]), let values = document(lines[1]),
            let locked = document(lines[2]),
            let name = head.value(forKey: KeyName("source"))?.value.string,
            name.utf8.elementsEqual(source.utf8),
            let time = head.value(forKey: KeyName("milliseconds"))?.value.int
        else { return nil }
        return KnownLayer(
            values: self.values(of: values), locked: self.values(of: locked),
            location: head.value(forKey: KeyName("place"))?.value.string, time: Int64(time))
    }

    private func document(_ line: ArraySlice<UInt8>) -> SettingsDocument? {
        let (document, fault) = SettingsDocument.read(Array(line))
        return fault == nil ? document : nil
    }

    private func values(of document: SettingsDocument) -> LayerValues {
        var values = LayerValues()
        for key in document.keys { values.set(document.value(forKey: key)?.value, forKey: key) }
        return values
    }
}
