import Synchronization
import TypedDefaults

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads keys for a parser, which asks for the values of all options before it is known what the command does.
///
/// A value that cannot be used is reported by a second reading, which finds nothing wrong if the command has corrected it.
enum LateReading {
    /// What is still to be read again; nil before anything was.
    private static let readings = Mutex<[@Sendable () -> Void]?>(nil)  // A leaf; nothing is called under it.

    /// Returns what applies, and has what is wrong reported later.
    static func value<Value>(of key: Defaults.Key<Value>) -> Value {
        do { return try key.suite.value(key) } catch {
            add { _ = key.suite[key] }
            return appliedValue(of: key) ?? key.defaultValue
        }
    }

    /// Returns the value of the domain that applies, which reports nothing; nil if it is the default.
    private static func appliedValue<Value>(of key: Defaults.Key<Value>) -> Value? {
        let applied = key.suite.explain(forKey: key.name).first { $0.outcome == .applies }
        guard let value = applied?.text.flatMap(value(ofJSON:)) else { return nil }
        do { return try key.value(from: value.string ?? value.description) } catch { return nil }
    }

    private static func add(_ reading: @escaping @Sendable () -> Void) {
        let isFirst = readings.withLock { readings in
            defer { readings = (readings ?? []) + [reading] }
            return readings == nil
        }
        guard isFirst else { return }
        atexit { LateReading.readAll() }
        Task.detached {
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            readAll()
        }
    }

    private static func readAll() {
        let due = readings.withLock { readings in
            defer { readings = readings.map { _ in [] } }
            return readings ?? []
        }
        for reading in due { reading() }
    }
}
