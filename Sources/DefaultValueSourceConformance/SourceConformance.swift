public import TypedDefaults

/// Runs the rules of `DefaultValueSource` against a source of your own, in a test of any framework.
///
/// ```swift
/// struct ShelfDefaults: DefaultValueSource {
///     let name = "shelf"
///     func defaultValues() async throws -> [String: DefaultsValue] { ["books": 3] }
/// }
///
/// try await SourceConformance { ShelfDefaults() }.check()
/// ```
///
/// Each function returns when the source keeps the rules it is about, and throws a ``SourceViolation`` else.
public struct SourceConformance: Sendable {
    let make: @Sendable () throws -> any DefaultValueSource
    let limit: Duration

    /// Takes what makes the source, which is asked for a new one by every check.
    ///
    /// - Parameter limit: how long one answer may take.
    public init(
        within limit: Duration = .seconds(20), _ make: @escaping @Sendable () throws -> any DefaultValueSource
    ) {
        self.make = make
        self.limit = limit
    }

    /// Checks everything that can be checked without a change.
    public func check() async throws {
        try await checkAnswers()
        try await checkSharing()
        try await checkCancellation()
        try await checkEnding()
    }

    /// Two answers are equal, every name could be a key's, and every value could stand in a file.
    public func checkAnswers() async throws {
        let source = try make()
        guard !source.name.isEmpty else { throw SourceViolation(.name, "it is empty") }
        let (name, first) = (source.name, try await answer(of: source))
        try SourceConformance.checkNames(first)
        let second = try await answer(of: source)
        guard first == second else {
            throw SourceViolation(.repeatable, SourceConformance.difference(first, second))
        }
        guard source.name == name else { throw SourceViolation(.name, "it is another one now") }
    }

    /// Sixteen tasks that ask the same source at once get the same answer.
    public func checkSharing() async throws {
        let source = try make()
        let expected = try await answer(of: source)
        try await withThrowingTaskGroup(of: [String: DefaultsValue].self) { group in
            for _ in 0..<16 { group.addTask { try await answer(of: source) } }
            for try await layer in group where layer != expected {
                throw SourceViolation(.sharing, SourceConformance.difference(expected, layer))
            }
        }
    }

    /// A source that cannot be read, which `make` has to give here, throws each time.
    public func checkFailure() async throws {
        let source = try make()
        for _ in 0..<2 {
            let layer: [String: DefaultsValue]
            do {
                layer = try await timed(.answers) { try await source.defaultValues() }
            } catch let violation as SourceViolation {
                throw violation
            } catch {
                continue
            }
            throw SourceViolation(.failure, "it answered with \(layer.count) values")
        }
    }

    /// What a source answers; its own error stands for a violation where it has one.
    func answer(of source: any DefaultValueSource) async throws -> [String: DefaultsValue] {
        try await timed(.answers) {
            do { return try await source.defaultValues() } catch {
                throw SourceViolation(.answers, "it threw: \(error)")
            }
        }
    }

    private static func checkNames(_ layer: [String: DefaultsValue]) throws {
        for (name, value) in layer {
            guard (1...65_536).contains(name.utf8.count) else {
                throw SourceViolation(.names, "a name has \(name.utf8.count) bytes")
            }
            guard !value.isDeeper(than: 128) else {
                throw SourceViolation(.depth, "the value of \(name) is deeper")
            }
        }
    }

    /// The names whose values are not the same.
    static func difference(_ left: [String: DefaultsValue], _ right: [String: DefaultsValue]) -> String {
        let names = Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }.sorted()
        return "the values differ of: \(names.joined(separator: ", "))"
    }
}
