import Foundation
import Measuring

/// Decodes the same texts with a `JSONDecoder` that is made once, so many times, rounded up to whole batches.
func decode<Value: Decodable>(
    _ type: Value.Type, texts: [String], _ count: Int, in section: (() -> Void) -> Void
) {
    let decoder = JSONDecoder()
    let data = texts.map { Data($0.utf8) }
    for _ in 0..<(count + data.count - 1) / data.count {
        section {
            for text in data {
                do { blackHole(try decoder.decode(type, from: text)) } catch {
                    preconditionFailure("a sample does not decode: \(error)")
                }
            }
        }
    }
}
