// A process that uses a suite which the driver uses at the same time.
//
// Usage: peer-ours ROLE FOLDER SUITE ...
import Measuring
import TypedDefaults

let words = CommandLine.arguments
let peer = Peer(suite: try DefaultsSuite(words[3], in: words[2]))
let rest = words.dropFirst(4).map { $0 }

switch words[1] {
case "get": peer.read(Int(rest[0]) ?? 0)
case "set": try peer.write(Int(rest[0]) ?? 0)
case "set-others": try peer.writeOthers(perSecond: Int(rest[0]) ?? 0)
case "set-many": try peer.writeMany(page: rest[0], index: rest[1], count: Int(rest[2]) ?? 0)
case "stamp": try peer.stamp(page: rest[0], count: Int(rest[1]) ?? 0, pause: Int(rest[2]) ?? 0)
default: preconditionFailure("no such role: \(words[1])")
}
