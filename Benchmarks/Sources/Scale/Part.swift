import Foundation
import Measuring
import TypedDefaults

/// What one process of a row does; it prints the numbers that it has measured of itself.
struct Part {
    /// The parts there are.
    enum Name: String {
        case write, writeTightly = "write-tightly", writeSlowly = "write-slowly", checkpoint
        case listen, observe, observeTied = "observe-tied", observed
        case hold, wait, waitAside = "wait-aside", beat
        case setLarge = "set-large", getLarge = "get-large"
        case encodeLarge = "encode-large", decodeLarge = "decode-large"
        case makeSuites = "make-suites", openSuites = "open-suites"
        case represent, represented, decode, transact, encode
    }

    private let name: Name
    /// The folder that the suite's folder is in.
    let folder: String
    let words: [String]

    init(_ words: [String]) {
        guard words.count >= 2, let name = Name(rawValue: words[0]) else {
            preconditionFailure("no such part: \(words)")
        }
        (self.name, folder, self.words) = (name, words[1], Array(words.dropFirst(2)))
    }

    func play() async throws {
        switch name {
        case .write: try write()
        case .writeTightly: try writeTightly()
        case .writeSlowly: try writeSlowly()
        case .checkpoint: try checkpointOften()
        case .listen: try listen()
        case .observe: try stayIdle { _, _ in }
        case .observeTied: try stayIdle { observation, owner in observation.tieToLifetime(of: owner) }
        case .observed: try stayIdle { observation, _ in observation.invalidate() }
        case .hold: try hold()
        case .wait: try await beatBesideSets()
        case .waitAside: try await beatBesideAsyncSets()
        case .beat: try await beatAlone()
        case .setLarge: try setLarge()
        case .getLarge: try getLarge()
        case .encodeLarge: try encodeLarge()
        case .decodeLarge: try decodeLarge()
        case .makeSuites: try makeSuites()
        case .openSuites: try openSuites()
        case .represent: try represent()
        case .represented: try representAgain()
        case .decode: try decode()
        case .transact: try transact()
        case .encode: try encode()
        }
    }

    /// The suite of the row.
    var suite: DefaultsSuite { get throws { try DefaultsSuite(Stage.suite, in: folder) } }

    /// One of the numbers after the part's name and folder.
    func number(_ place: Int) -> Int {
        guard let number = Int(words[place]) else { preconditionFailure("no number: \(words[place])") }
        return number
    }

    /// Stays until the driver ends this process.
    func stay() -> Never { while true { pause() } }
}
