// Reads a settings file whole and finds one value in it by its name, with bare system calls: nothing is checked, watched
// or kept for the next read. What is left is the machine's.
//
// Usage: open-bare FOLDER SUITE
import Glibc
import Measuring

let words = CommandLine.arguments

/// Kept until the program ends, as what the others open is.
var kept: UnsafeMutableRawPointer?

let find = { () throws -> Double in
    let path = "\(words[1])/\(words[2])/settings.json"
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SystemFailure("open", path) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemFailure("fstat", path) }
    let size = Int(status.st_size)
    // One more, so that the text has an end.
    let text = UnsafeMutableRawPointer.allocate(byteCount: size + 1, alignment: 16)
    kept = text
    guard read(file, text, size) == size else { throw SystemFailure("read", path) }
    text.storeBytes(of: 0, toByteOffset: size, as: UInt8.self)
    let name = "\n  \"\(Sized.wanted)\": "
    guard let place = strstr(text.assumingMemoryBound(to: CChar.self), name) else {
        throw SystemFailure(waitingFor: Sized.wanted)
    }
    return strtod(place + name.utf8.count, nil)
}

print(try Report(measuring: find).line)
