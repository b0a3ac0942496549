import Testing
import TypedDefaults

/// A type whose two directions a test writes as closures.
struct Custom: Codable, Sendable {
    @TaskLocal static var encoding: @Sendable (any Encoder) throws -> Void = { _ in }
    @TaskLocal static var decoding: @Sendable (any Decoder) throws -> Void = { _ in }

    init() {}
    init(from decoder: any Decoder) throws { try Self.decoding(decoder) }
    func encode(to encoder: any Encoder) throws { try Self.encoding(encoder) }

    static func text(_ body: @escaping @Sendable (any Encoder) throws -> Void) throws -> String {
        try $encoding.withValue(body) { try encoded(Custom()) }
    }

    static func read(_ text: String, _ body: @escaping @Sendable (any Decoder) throws -> Void) throws {
        _ = try $decoding.withValue(body) { try decoded(Custom.self, from: text) }
    }
}

enum Name: String, CodingKey { case a, b, c }

/// What a type's `encode(to:)` may do with its containers.
struct EncodingContainerTests {
    @Test func `a member encoded twice keeps its place and its last value`() throws {
        let text = try Custom.text { encoder in
            var members = encoder.container(keyedBy: Name.self)
            try members.encode(1, forKey: .a)
            try members.encode("b", forKey: .b)
            try members.encodeNil(forKey: .a)
        }
        #expect(text == #"{"a": null, "b": "b"}"#)
    }

    @Test func `containers asked for twice are the same one`() throws {
        let text = try Custom.text { encoder in
            var first = encoder.container(keyedBy: Name.self)
            var second = encoder.container(keyedBy: Name.self)
            var inner = first.nestedContainer(keyedBy: Name.self, forKey: .c)
            try inner.encode(1, forKey: .a)
            var again = second.nestedContainer(keyedBy: Name.self, forKey: .c)
            try again.encode(2, forKey: .b)
            try first.encode(3, forKey: .a)
        }
        #expect(text == #"{"c": {"a": 1, "b": 2}, "a": 3}"#)
    }

    @Test func `nested containers may be filled after later members`() throws {
        let text = try Custom.text { encoder in
            var elements = encoder.unkeyedContainer()
            var members = elements.nestedContainer(keyedBy: Name.self)
            var inner = elements.nestedUnkeyedContainer()
            try elements.encodeNil()
            try members.encode(Int128.max, forKey: .a)
            var list = members.nestedUnkeyedContainer(forKey: .b)
            try list.encode(true)
            try inner.encode(contentsOf: [1, 2])
            #expect([elements.count, inner.count, list.count] == [3, 2, 1])
        }
        #expect(text == #"[{"a": 170141183460469231731687303715884105727, "b": [true]}, [1, 2], null]"#)
    }

    @Test func `super encoders are members and elements of their own`() throws {
        let text = try Custom.text { encoder in
            var members = encoder.container(keyedBy: Name.self)
            var single = members.superEncoder().singleValueContainer()
            try single.encode(1)
            _ = members.superEncoder(forKey: .a)
            var list = members.nestedUnkeyedContainer(forKey: .b)
            let element = list.superEncoder()
            try list.encode(2)
            var later = element.singleValueContainer()
            try later.encode("first")
            #expect(element.codingPath.map(\.stringValue) == ["b", "Index 0"])
        }
        #expect(text == #"{"super": 1, "a": {}, "b": ["first", 2]}"#)
    }

    // Sendable because its members are constant.
    class Animal: Codable, @unchecked Sendable {
        let legs: Int
        init(legs: Int) { self.legs = legs }
    }
    // Sendable because its members are constant.
    final class Dog: Animal, @unchecked Sendable {
        let name: String
        init(name: String) {
            self.name = name
            super.init(legs: 4)
        }
        required init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            name = try members.decode(String.self, forKey: .name)
            try super.init(from: members.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(name, forKey: .name)
            try super.encode(to: members.superEncoder())
        }
        enum CodingKeys: String, CodingKey { case name }
    }

    @Test func `a subclass comes back with its superclass's members`() throws {
        let text = try encoded(Dog(name: "Rex"))
        #expect(text == #"{"name": "Rex", "super": {"legs": 4}}"#)
        let dog = try decoded(Dog.self, from: text)
        #expect((dog.name, dog.legs) == ("Rex", 4))
    }

    @Test func `single values may be asked for again and the last one applies`() throws {
        let text = try Custom.text { encoder in
            var first = encoder.singleValueContainer()
            try first.encode(1)
            var second = encoder.singleValueContainer()
            try second.encode(2)
        }
        #expect(text == "2")
    }

    @Test func `a single value that is asked for and not used is as if it had not been asked for`() throws {
        let before = try Custom.text { encoder in
            _ = encoder.singleValueContainer()
            var members = encoder.container(keyedBy: Name.self)
            try members.encode(1, forKey: .a)
        }
        let after = try Custom.text { encoder in
            var elements = encoder.unkeyedContainer()
            try elements.encode(1)
            _ = encoder.singleValueContainer()
        }
        let alone = try Custom.text { _ = $0.singleValueContainer() }
        #expect([before, after, alone] == [#"{"a": 1}"#, "[1]", "{}"])
    }

    @Test(arguments: [true, false])
    func `a single value and a container for one value are refused in either order`(isFirst: Bool) {
        let reason = saying {
            _ = try Custom.text { encoder in
                var single = encoder.singleValueContainer()
                if isFirst { try single.encodeNil() }
                _ = encoder.container(keyedBy: Name.self)
                if !isFirst { try single.encode(1) }
            }
        }
        #expect(reason == "Custom opens containers of different kinds for one value")
    }

    @Test func `containers of different kinds for one value are refused`() {
        let reason = saying {
            _ = try Custom.text { encoder in
                _ = encoder.unkeyedContainer()
                _ = encoder.container(keyedBy: Name.self)
            }
        }
        #expect(reason == "Custom opens containers of different kinds for one value")
    }

    @Test func `many members keep their order and their last values`() throws {
        let text = try Custom.text { encoder in
            var members = encoder.container(keyedBy: ElementName.self)
            for number in (0..<30).reversed() { try members.encode(0, forKey: ElementName(number)) }
            for number in 0..<30 { try members.encode(number, forKey: ElementName(number)) }
        }
        #expect(text == "{" + (0..<30).reversed().map { "\"\($0)\": \($0)" }.joined(separator: ", ") + "}")
    }

    struct ElementName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ number: Int) { stringValue = "\(number)" }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// What a type's `init(from:)` may do with its containers.
struct DecodingContainerTests {
    @Test func `an element that does not decode leaves the index where it was`() throws {
        try Custom.read(#"[1, "two", null]"#) { decoder in
            var elements = try decoder.unkeyedContainer()
            #expect(try elements.decode(Int.self) == 1)
            #expect(saying { _ = try elements.decode(Int.self) } == "[1]: expected Int, found a string")
            #expect(
                saying { _ = try elements.nestedUnkeyedContainer() }
                    == "[1]: expected an array, found a string")
            #expect((elements.currentIndex, elements.count, elements.isAtEnd) == (1, 3, false))
            #expect(try elements.decodeNil() == false)
            #expect(try elements.decode(String.self) == "two")
            #expect(try elements.decodeNil())
            #expect(elements.isAtEnd)
            #expect(
                saying { _ = try elements.decodeNil() }
                    == "[3]: expected Optional<Never>, found the end of the array")
            #expect(
                saying { _ = try elements.decode(Int.self) }
                    == "[3]: expected Int, found the end of the array")
            #expect(try elements.decodeIfPresent(Int.self) == nil)
        }
    }

    @Test func `null and missing members are told apart`() throws {
        try Custom.read(#"{"a": null, "b": 1}"#) { decoder in
            let members = try decoder.container(keyedBy: Name.self)
            #expect(members.contains(.a))
            #expect(!members.contains(.c))
            #expect(try members.decodeNil(forKey: .a))
            #expect(try !members.decodeNil(forKey: .b))
            #expect(saying { _ = try members.decodeNil(forKey: .c) } == "the member \"c\" is missing")
            #expect(saying { _ = try members.decode(Int.self, forKey: .a) } == "a: expected Int, found null")
            #expect(saying { _ = try members.decode(Int.self, forKey: .c) } == "the member \"c\" is missing")
            #expect(try members.decodeIfPresent(Int.self, forKey: .a) == nil)
            #expect(try members.decodeIfPresent(Int.self, forKey: .c) == nil)
            #expect(try members.decodeIfPresent(Int.self, forKey: .b) == 1)
        }
    }

    @Test func `a member that is present with another type is no missing one`() throws {
        try Custom.read(#"{"a": "1"}"#) { decoder in
            let members = try decoder.container(keyedBy: Name.self)
            let reason = saying { _ = try members.decodeIfPresent(Int.self, forKey: .a) }
            #expect(reason == "a: expected Int, found a string")
        }
    }

    @Test func `keys are listed once, in the order of the text, where the type knows them`() throws {
        try Custom.read(#"{"c": 1, "x": 2, "a": 3, "c": 4}"#) { decoder in
            let members = try decoder.container(keyedBy: Name.self)
            #expect(members.allKeys == [.c, .a])
            #expect(try members.decode(Int.self, forKey: .c) == 4)
        }
    }

    @Test func `nested containers and super decoders know their places`() throws {
        try Custom.read(#"{"a": {"b": [[], 5]}}"#) { decoder in
            #expect(decoder.codingPath.isEmpty && decoder.userInfo.isEmpty)
            let members = try decoder.container(keyedBy: Name.self)
            let inner = try members.nestedContainer(keyedBy: Name.self, forKey: .a)
            var list = try inner.nestedUnkeyedContainer(forKey: .b)
            #expect(try list.nestedUnkeyedContainer().isAtEnd)
            let element = try list.superDecoder()
            #expect(element.codingPath.map(\.stringValue) == ["a", "b", "Index 1"])
            #expect(try element.singleValueContainer().decode(UInt8.self) == 5)
            #expect(try members.superDecoder().singleValueContainer().decodeNil())
            #expect(try members.superDecoder(forKey: .a).container(keyedBy: Name.self).allKeys == [.b])
        }
    }

    @Test func `a single value may be read again as another type`() throws {
        try Custom.read("3") { decoder in
            let value = try decoder.singleValueContainer()
            #expect(saying { _ = try value.decode(String.self) } == "expected String, found a number")
            #expect(try value.decode(Int.self) == 3)
            #expect(try decoder.singleValueContainer().decode(Double.self) == 3)
        }
    }
}
