// Sets of one setting, ours and others', by the number of keys.
import Benchmark
import Beside
import Foundation
import TypedDefaults

let benchmarks: @Sendable () -> Void = {
    _ = Home.path
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], scalingFactor: .one, maxDuration: .seconds(1))
    do {
        for keys in [10, 1000, 10_000, 100_000] { try sets(at: keys) }
        try transactions()
        try durableSets()
    } catch {
        preconditionFailure("the settings could not be made: \(error)")
    }
}

/// A benchmark of one write, which is given another number each time.
func write(_ name: String, _ body: @escaping @Sendable (Double) throws -> Void) {
    Benchmark(name) { benchmark in
        for number in benchmark.scaledIterations {
            try body(Double(benchmark.currentIteration) * 1000 + Double(number) + 0.5)
        }
    }
}

private func sets(at keys: Int) throws {
    let ours = try Ours(keys: keys)
    write("set at \(keys) keys, ours") { try ours.suite.set(ours.key, to: $0) }
    write("set, then get at \(keys) keys, ours") {
        try ours.suite.set(ours.key, to: $0)
        blackHole(Defaults[ours.key])
    }
    guard keys <= 10_000 else { return }
    let foundation = FoundationSettings(keys: keys)
    write("set at \(keys) keys, UserDefaults") { foundation.defaults.set($0, forKey: "wanted") }
    write("set, then get at \(keys) keys, UserDefaults") {
        foundation.defaults.set($0, forKey: "wanted")
        blackHole(foundation.defaults.double(forKey: "wanted"))
    }
    let database = try Database(keys: keys)
    write("set at \(keys) keys, GRDB") { try database.set([("wanted", $0)]) }
    let sqlite = try SQLite(keys: keys)
    write("set at \(keys) keys, SQLite") { try sqlite.set($0, forKey: "wanted") }
    let lightning = try LightningDatabase(keys: keys)
    write("set at \(keys) keys, LMDB") { try lightning.set([("wanted", $0)]) }
}

private func transactions() throws {
    let ours = try Ours(keys: 999)
    write("transaction of 10, ours") { value in
        try ours.suite.withTransaction { transaction in
            for place in 0..<10 { transaction[key: "key\(place)"] = DefaultsValue(floatLiteral: value) }
        }
    }
    let database = try Database(keys: 999)
    write("transaction of 10, GRDB") { value in try database.set((0..<10).map { ("key\($0)", value) }) }
    let lightning = try LightningDatabase(keys: 999)
    write("transaction of 10, LMDB") { value in try lightning.set((0..<10).map { ("key\($0)", value) }) }
}

private func durableSets() throws {
    let ours = try Ours(keys: 10_001)
    write("durable set, ours") {
        try ours.suite.set(ours.key, to: $0)
        try ours.suite.synchronize()
    }
    let foundation = FoundationSettings(keys: 10_000)
    write("durable set, UserDefaults, which empties the file before it writes it") {
        foundation.defaults.set($0, forKey: "wanted")
        foundation.defaults.synchronize()
    }
    let database = try Database(keys: 10_000, isSynchronized: true)
    write("durable set, GRDB") { try database.set([("wanted", $0)]) }
    let sqlite = try SQLite(keys: 10_000, isSynchronized: true)
    write("durable set, SQLite") { try sqlite.set($0, forKey: "wanted") }
    let lightning = try LightningDatabase(keys: 10_000, isSynchronized: true)
    write("durable set, LMDB") { try lightning.set([("wanted", $0)]) }
}
