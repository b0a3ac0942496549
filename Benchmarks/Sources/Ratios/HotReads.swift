import HotPaths
import Measuring

extension Bench {
    /// Items 1, 2 and 3: reading what has not changed.
    func hotReads() throws -> [Row] {
        let paths: [HotPath] = [
            .getDouble, .foundationGetDouble, .getString, .foundationGetString, .getCodable,
            .foundationGetCodable, .getUnset, .getUnsetString, .bareDouble, .bareDefault,
            .getShortString, .foundationGetShortString,
        ]
        let samples = try alternate(rounds: rounds, paths.map { path in { path.timed() } })
        let figures = Dictionary(uniqueKeysWithValues: zip(paths, samples.map(Figure.time)))
        func row(_ item: Int, _ what: String, _ ours: HotPath, _ peer: HotPath, _ goal: Row.Goal) -> Row? {
            guard let ours = figures[ours] else { return nil }
            return Row(item: item, what: what, ours: ours, peer: figures[peer], goal: goal)
        }
        func quoted(_ what: String, _ nanoseconds: Double) -> Row? {
            figures[.getDouble].map {
                Row(
                    item: 1, what: what, ours: $0, peer: .time(nanoseconds, note: " (quoted)"),
                    goal: .compared)
            }
        }
        return [
            row(
                1, "get a Double / load it from an object in a static let", .getDouble, .bareDouble,
                .atMost(1.15)),
            row(1, "get a Double / UserDefaults", .getDouble, .foundationGetDouble, .compared),
            quoted("get a Double / MMKV shared between processes", 844),
            quoted("get a Double / MMKV of one process, which sees no other's sets", 42),
            row(2, "get a String / UserDefaults", .getString, .foundationGetString, .compared),
            row(
                2, "get a String of up to 15 bytes / UserDefaults", .getShortString,
                .foundationGetShortString, .compared),
            row(2, "get a struct / decoded at each get", .getCodable, .foundationGetCodable, .compared),
            row(
                3, "get an unset Double / call the default of an object in a static let", .getUnset,
                .bareDefault, .atMost(1.15)),
            row(3, "get an unset String / a set one", .getUnsetString, .getString, .atMost(1.1)),
        ].compactMap { $0 }
    }

    /// Item 5: the first read of a value that has changed.
    func firstReads() throws -> [Row] {
        let pairs: [(what: String, ours: HotPath, peer: HotPath)] = [
            ("Bool", .firstBool, .decodeBool), ("Int", .firstInt, .decodeInt),
            ("Double", .firstDouble, .decodeDouble), ("String", .firstString, .decodeString),
        ]
        var rows = try pairs.map { what, ours, peer in
            let samples = try alternate(rounds: rounds, [ours.timed, peer.timed])
            return Row(
                item: 5, what: "first get of a changed \(what) / JSONDecoder", ours: .time(samples[0]),
                peer: .time(samples[1]), goal: .compared)
        }
        let texts = try alternate(rounds: rounds, [HotPath.firstString.timed, HotPath.bareStrings.timed])
        rows.append(
            Row(
                item: 5, what: "first get of a changed String / make it of its bytes and free the last one",
                ours: .time(texts[0]), peer: .time(texts[1]), goal: .atMost(4)))
        return rows
    }
}

extension HotPath {
    /// The nanoseconds that one run of the path takes.
    ///
    /// It is measured in a part of a millisecond, so that on a busy machine most rounds are not interrupted.
    func timed() -> Double { timed(forMilliseconds: 0.3) }

    /// The same, measured for about so long.
    func timed(forMilliseconds milliseconds: Double) -> Double {
        let trial = 64
        let once = max(timed(trial), 0.5)
        return timed(max(Int(milliseconds * 1_000_000 / once), trial))
    }

    private func timed(_ count: Int) -> Double {
        var total = 0.0
        run(count) { body in total += Clock.time(body) }
        return total / Double((count + 63) / 64 * 64)
    }
}
