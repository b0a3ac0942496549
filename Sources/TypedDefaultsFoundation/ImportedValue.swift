import DefaultsStore
import Foundation
import TypedDefaults
import TypedDefaultsPropertyLists

/// An object that `UserDefaults` has stored, as a value of a suite.
struct ImportedValue {
    private let list: PropertyListValue
    private let plain: DefaultsValue
    private let declaration: KeyDeclaration?

    /// - Parameter declaration: the key's declaration; nil if it is not declared.
    init(_ object: Any, for declaration: KeyDeclaration?) throws(PropertyListFault) {
        list = try ImportedValue.propertyList(of: object)
        plain = try list.defaultsValue()
        self.declaration = declaration
    }

    /// The value that the key can use.
    func value() throws(PropertyListFault) -> DefaultsValue {
        guard let declaration else { return plain }
        if case .data(let bytes) = list { return try value(of: bytes, for: declaration) }
        let spelled = spelledByText(for: declaration)
        // A type that accepts any text would include the quotes, which is never intended.
        if let spelled, spelled.string != nil, !isOf(String.self) { return spelled }
        if let path = try pathAsURL(for: declaration) { return path }
        guard let objection = declaration.objection(StoredValue(plain)) else { return plain }
        if let spelled { return spelled }
        throw PropertyListFault(ImportedValue.reason(of: objection))
    }

    /// The value of data: its JSON, or an archived URL.
    ///
    /// For a key of data it is the data itself, unless that is the JSON of data.
    private func value(
        of bytes: [UInt8], for declaration: KeyDeclaration
    ) throws(PropertyListFault) -> DefaultsValue {
        let isOfData = isOf(Data.self)
        if let spelled = ImportedValue.spelled(bytes), !isOfData || spelled.value.string != nil,
            declaration.objection(spelled) == nil
        {
            return spelled.value
        }
        let value = try isOf(URL.self) ? archivedURL() : plain
        // A key that accepts any text would accept the base64 too, which is never intended.
        if !isOfData, !isOf(URL.self), declaration.objection(StoredValue(.string("."))) == nil {
            throw PropertyListFault("it is data that spells no value of the key")
        }
        if let objection = declaration.objection(StoredValue(value)) {
            throw PropertyListFault(ImportedValue.reason(of: objection))
        }
        return value
    }

    private func isOf(_ type: any Any.Type) -> Bool { declaration?.wholeType == type }

    /// The URL of a file whose path `UserDefaults` has stored in place of a URL; nil for anything else.
    private func pathAsURL(for declaration: KeyDeclaration) throws(PropertyListFault) -> DefaultsValue? {
        guard isOf(URL.self), case .string(let text) = list, text.hasPrefix("/") || text.hasPrefix("~") else {
            return nil
        }
        let path = NSString(string: text).expandingTildeInPath
        let value = DefaultsValue.string(URL(fileURLWithPath: path).absoluteString)
        guard let objection = declaration.objection(StoredValue(value)) else { return value }
        throw PropertyListFault(ImportedValue.reason(of: objection))
    }

    /// The URL in an archive, as `UserDefaults` of Apple's systems stores one that is no file's.
    private func archivedURL() throws(PropertyListFault) -> DefaultsValue {
        do {
            let url = try DefaultsCodec<NSURL>.secureCoding().decode(Array(StoredValue(plain).bytes))
            // Optional on Apple's systems alone.
            let text: String? = url.absoluteString
            if let text { return .string(text) }
        } catch {
            throw PropertyListFault("it is data that holds no address: \(describe(error))")
        }
        throw PropertyListFault("it is an archive of no address")
    }

    /// The value that a text spells, if the key can use it.
    private func spelledByText(for declaration: KeyDeclaration) -> DefaultsValue? {
        guard case .string(let text) = list, let spelled = ImportedValue.spelled(Array(text.utf8)),
            declaration.objection(spelled) == nil
        else { return nil }
        return spelled.value
    }

    /// The value that a text spells; nil if it is not JSON, and so stays a text.
    private static func spelled(_ text: [UInt8]) -> StoredValue? {
        do { return try StoredValue(validating: text) } catch { return nil }
    }

    /// Why a key cannot use a value.
    static func reason(of objection: DefaultsError) -> String {
        "\(objection.code.clause): \(objection.underlyingDescription ?? "")"
    }

    /// Through a binary list, which distinguishes Booleans from numbers on every system.
    private static func propertyList(of object: Any) throws(PropertyListFault) -> PropertyListValue {
        guard PropertyListSerialization.propertyList([object], isValidFor: .binary) else {
            throw PropertyListFault("it is no value of a property list")
        }
        let bytes: Data
        do {
            bytes = try PropertyListSerialization.data(
                fromPropertyList: [object], format: .binary, options: 0)
        } catch {
            throw PropertyListFault("it cannot be written as a property list: \(error.localizedDescription)")
        }
        guard let value = try PropertyListValue.read(Array(bytes)).array?.first else {
            throw PropertyListFault("it cannot be written as a property list")
        }
        return value
    }
}
