public import Configuration
import Foundation
import Measuring
import SystemPackage

/// swift-configuration, which reads and does not write.
public enum Configurations {
    /// A reader of values in memory.
    public static func inMemory() -> ConfigReader {
        ConfigReader(
            provider: InMemoryProvider(
                values: ["wanted": 0.25, "theme": "a text of more than fifteen bytes"]))
    }

    /// A reader of a JSON file with so many keys.
    public static func file(keys: Int) async throws -> ConfigReader {
        let path = try Home.folder("configuration") + "/settings-\(keys).json"
        try Data(Sized.json(keys).utf8).write(to: URL(filePath: path))
        return ConfigReader(provider: try await FileProvider<JSONSnapshot>(filePath: FilePath(path)))
    }
}
