import Testing
import TypedDefaults

/// A codec that a program brings itself: the example of the documentation.
struct DefaultsCodecTests {
    struct Angle: Equatable { var degrees: Int }
    struct NoAngle: Error, Equatable {}

    private let angles = DefaultsCodec<Angle>(
        encode: { Array(String($0.degrees).utf8) },
        decode: { text in
            guard let degrees = Int(String(decoding: text, as: UTF8.self)) else { throw NoAngle() }
            return Angle(degrees: degrees)
        })

    @Test func `a codec of one's own goes both ways`() throws {
        #expect(try angles.encode(Angle(degrees: 90)) == Array("90".utf8))
        #expect(try angles.decode(Array("90".utf8)) == Angle(degrees: 90))
    }

    @Test func `what a codec throws comes through`() {
        #expect(throws: NoAngle()) { try angles.decode(Array("true".utf8)) }
    }
}
