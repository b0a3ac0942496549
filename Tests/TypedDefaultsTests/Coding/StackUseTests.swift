/// How much of the stack a level of nesting takes, since a type that holds itself is coded by as many calls.
import Testing

@testable import TypedDefaults

@Suite(.serialized) struct StackUseTests {
    /// A class that holds one of its kind.
    private final class Link: Codable, Sendable {
        let next: Link?

        init(_ next: Link?) { self.next = next }

        private enum CodingKeys: CodingKey { case next }

        init(from decoder: any Decoder) throws {
            StackPlaces.record()
            next = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Link.self, forKey: .next)
        }

        func encode(to encoder: any Encoder) throws {
            StackPlaces.record()
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(next, forKey: .next)
        }
    }

    /// A value in a dictionary of its kind: two levels of the text for one of the type.
    private struct Branch: Codable, Sendable {
        var branches: [String: Branch] = [:]

        private enum CodingKeys: CodingKey { case branches }

        init(_ branches: [String: Branch]) { self.branches = branches }

        init(from decoder: any Decoder) throws {
            StackPlaces.record()
            branches = try decoder.container(keyedBy: CodingKeys.self)
                .decode([String: Branch].self, forKey: .branches)
        }

        func encode(to encoder: any Encoder) throws {
            StackPlaces.record()
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(branches, forKey: .branches)
        }
    }

    @Test func `a level of nesting takes at most the stack that the guide on limits tells`() throws {
        let link = (0..<100).reduce(Link(nil)) { inner, _ in Link(inner) }
        let branch = (0..<50).reduce(Branch([:])) { inner, _ in Branch(["a": inner]) }
        let links = try bytesPerLevel(link, levels: 1)
        let branches = try bytesPerLevel(branch, levels: 2)
        // Of a debug build; a release build takes less.
        #expect(max(links.encoding, branches.encoding) <= 2_560)
        #expect(max(links.decoding, branches.decoding) <= 2_150)
    }

    /// - Parameter levels: how many levels of the text there are between two notes.
    private func bytesPerLevel<Value: Codable & Sendable>(
        _ value: Value, levels: Int
    ) throws -> (encoding: Int, decoding: Int) {
        let codec = DefaultsCodec<Value>.codable
        var text: [UInt8] = []
        let encoding = try StackPlaces.distance { text = try codec.encode(value) } / levels
        let decoding = try StackPlaces.distance { _ = try codec.decode(text) } / levels
        return (encoding, decoding)
    }
}

/// Where on the stack a coder calls a type.
private enum StackPlaces {
    @TaskLocal private static var places: Places?

    // Unchecked is sound because only the thread that codes a value uses it.
    private final class Places: @unchecked Sendable {
        var all: [Int] = []
    }

    static func record() {
        var here = 0
        withUnsafePointer(to: &here) { places?.all.append(Int(bitPattern: $0)) }
    }

    /// How far apart two calls are, if a body makes many that are inside one another.
    static func distance(_ body: () throws -> Void) rethrows -> Int {
        let noted = Places()
        try $places.withValue(noted) { try body() }
        guard let first = noted.all.first, let last = noted.all.last, noted.all.count > 1 else { return 0 }
        return (first - last) / (noted.all.count - 1)
    }
}
