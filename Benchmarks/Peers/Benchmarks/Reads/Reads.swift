// Reads of one unchanged setting, ours and others'.
import Benchmark
import Beside
import Configuration
import Foundation
import TypedDefaults

let benchmarks: @Sendable () -> Void = {
    _ = Home.path
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock, .throughput], scalingFactor: .kilo, maxDuration: .seconds(1))
    do {
        try ours()
        try foundation()
        try others()
    } catch {
        preconditionFailure("the settings could not be made: \(error)")
    }
}

/// A benchmark of one read.
func read<Value>(_ name: String, _ body: @escaping @Sendable () throws -> Value) {
    Benchmark(name) { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try body()) }
    }
}

private func ours() throws {
    try DefaultsSuite.standard.withTransaction { transaction in
        transaction[.volume] = 0.25
        transaction[.isOn] = true
        transaction[.launches] = 42
        transaction[.theme] = "a text of more than fifteen bytes"
        transaction[.profile] = Profile()
    }
    read("get Double, ours") { OurReads.double() }
    read("get Bool, ours") { OurReads.bool() }
    read("get Int, ours") { OurReads.int() }
    read("get String, ours") { OurReads.string() }
    read("get struct of 10, ours") { OurReads.profile() }
    read("get unset Double, ours") { OurReads.unset() }
}

private func foundation() throws {
    let settings = FoundationSettings(keys: 10)
    let defaults = settings.defaults
    defaults.set("a text of more than fifteen bytes", forKey: "theme")
    defaults.set(true, forKey: "isOn")
    defaults.set(42, forKey: "launches")
    let json = try JSONEncoder().encode(Profile())
    defaults.set(json, forKey: "profile")
    read("get Double, UserDefaults") { settings.defaults.double(forKey: "wanted") }
    read("get Bool, UserDefaults") { settings.defaults.bool(forKey: "isOn") }
    read("get Int, UserDefaults") { settings.defaults.integer(forKey: "launches") }
    read("get String, UserDefaults") { settings.defaults.string(forKey: "theme") }
    read("get struct of 10, UserDefaults, decoded") { try settings.decoded(Profile.self, forKey: "profile") }
    read("get unset Double, UserDefaults") { settings.defaults.double(forKey: "unset") }
    let decoder = JSONDecoder()
    read("decode struct of 10, JSONDecoder") { try decoder.decode(Profile.self, from: json) }
    let number = Data("0.25".utf8)
    read("decode Double, JSONDecoder") { try decoder.decode(Double.self, from: number) }
}

private func others() throws {
    let memory = Configurations.inMemory()
    read("get Double, swift-configuration in memory") { memory.double(forKey: "wanted", default: 0) }
    read("get String, swift-configuration in memory") { memory.string(forKey: "theme", default: "") }
    Benchmark("get Double, swift-configuration of a JSON file") { benchmark in
        let reader = try await Configurations.file(keys: 10)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations { blackHole(reader.double(forKey: "wanted", default: 0)) }
    }
    Benchmark(
        "open 10 000 keys, swift-configuration of a JSON file", configuration: .init(scalingFactor: .one)
    ) { _ in
        blackHole(try await Configurations.file(keys: 10_000).double(forKey: "wanted", default: 0))
    }
    let database = try Database(keys: 10_000)
    read("get Double at 10 000 keys, GRDB") { try database.double(forKey: "wanted") }
    let sqlite = try SQLite(keys: 10_000)
    read("get Double at 10 000 keys, SQLite") { try sqlite.double(forKey: "wanted") }
    let lightning = try LightningDatabase(keys: 10_000)
    read("get Double at 10 000 keys, LMDB") { try lightning.double(forKey: "wanted") }
}
