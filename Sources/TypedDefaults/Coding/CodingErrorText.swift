/// A coding error in one line: where, and why.
///
/// `window.size[2].width: expected Int, found a string`. Other errors are described by their own text.
package func describe(_ error: any Error) -> String {
    switch (error as? DecodingError)?.withoutValue ?? error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
        line(context.codingPath, context.debugDescription)
    case EncodingError.invalidValue(_, let context):
        line(context.codingPath, context.debugDescription)
    default:
        String(describing: error)
    }
}

private func line(_ path: [any CodingKey], _ reason: String) -> String {
    path.isEmpty ? reason : "\(text(of: path)): \(reason)"
}

private func text(of path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
        if let element = key as? ElementKey {
            text += "[\(element.index)]"
        } else if key.stringValue.utf8.allSatisfy(isPlain), !key.stringValue.isEmpty {
            text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
        } else {
            text += "[\(key.stringValue.debugDescription)]"
        }
    }
}

/// Whether a byte of a name needs no quotes in a path; letters beyond ASCII need none.
private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
}
