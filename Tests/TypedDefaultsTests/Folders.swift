import Foundation
import TestSupport

extension TemporaryFolder {
    /// The names of what is in this folder.
    func entries() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    /// Another path to this folder; the link goes with the folder.
    func makeLinkToItself() throws -> String {
        let link = path + "/itself"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        return link
    }
}
