/// What the App Store has to be told of the library: of each kind of call that needs a reason, and of no other.
import Foundation
import TestSupport
import Testing

struct PrivacyTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources").standardized

    /// Apple's list of the calls that need a reason, as far as Swift without UIKit can make them.
    private static let calls = [
        "FileTimestamp": #"\b(f|l|fl)?stat(at)?\(|\bgetattrlist|creationDate|modificationDate"#,
        "DiskSpace": #"\bf?stat(v)?fs\(|volumeAvailableCapacity|systemFreeSize"#,
        "UserDefaults": #"\bUserDefaults\b"#,
        "SystemBootTime": #"\bmach_absolute_time\b|systemUptime"#,
    ]

    @Test(arguments: [
        "DefaultsStore", "TypedDefaults", "TypedDefaultsCompatibility", "TypedDefaultsPropertyLists",
        "TypedDefaultsFoundation",
        "DefaultValueSourceConformance",
    ])
    func `each module's manifest names the kinds of calls that it makes`(_ module: String) throws {
        let folder = Self.sources.appending(path: module)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var code = ""
        for case let file as URL in files where file.pathExtension == "swift" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            code += lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        }
        let made = Self.calls.filter { code.range(of: $0.value, options: .regularExpression) != nil }
        #expect(Set(made.keys) == Set(try reasons(in: folder).keys))
    }

    @Test func `each kind has reasons that Apple knows`() throws {
        let known = [
            "FileTimestamp": ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
            "DiskSpace": ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
            "UserDefaults": ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"],
        ]
        for module in ["DefaultsStore", "TypedDefaultsFoundation"] {
            for (kind, reasons) in try reasons(in: Self.sources.appending(path: module)) {
                #expect(!reasons.isEmpty && Set(reasons).isSubset(of: known[kind] ?? []), "\(kind)")
            }
        }
    }

    private struct Manifest: Decodable {
        struct Kind: Decodable {
            let NSPrivacyAccessedAPIType: String
            let NSPrivacyAccessedAPITypeReasons: [String]
        }
        let NSPrivacyTracking: Bool
        let NSPrivacyTrackingDomains: [String]
        let NSPrivacyCollectedDataTypes: [String]
        let NSPrivacyAccessedAPITypes: [Kind]
    }

    /// Returns the kinds that a module's manifest names, and why; none if it has no manifest.
    private func reasons(in folder: URL) throws -> [String: [String]] {
        let file = folder.appending(path: "PrivacyInfo.xcprivacy")
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
        #expect(!manifest.NSPrivacyTracking && manifest.NSPrivacyTrackingDomains.isEmpty)
        #expect(manifest.NSPrivacyCollectedDataTypes.isEmpty)
        let prefix = "NSPrivacyAccessedAPICategory"
        var reasons: [String: [String]] = [:]
        for kind in manifest.NSPrivacyAccessedAPITypes {
            let name = kind.NSPrivacyAccessedAPIType
            #expect(name.hasPrefix(prefix))
            reasons[String(name.dropFirst(prefix.count))] = kind.NSPrivacyAccessedAPITypeReasons
        }
        return reasons
    }
}
