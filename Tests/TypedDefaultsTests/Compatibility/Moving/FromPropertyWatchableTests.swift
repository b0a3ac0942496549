/// What PropertyKit documents of PropertyWatchable, one test for each thing its users write. Where theirs is an `NSObject`
/// with an `@objc dynamic` property, ours is a class of the main actor with `@Watched`.
import Dispatch
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

@MainActor private final class Model: PropertyWatchable {
    @Watched var note: String?
    @Watched var number = 0
}

@MainActor @Suite(.ownThread, .timeLimit(.minutes(60))) struct FromPropertyWatchableTests {
    private let model = Model()
    private let heard = Recorder<String>()

    /// Changes the note, and gives what was heard of that when everybody has been told.
    private func heardOfChange(to note: String = "new") async -> [String] {
        let before = heard.all.count
        model.note = note
        // Whatever is to be told stands in the main queue by now.
        await withCheckedContinuation { told in DispatchQueue.main.async { told.resume() } }
        return heard.all.dropFirst(before).sorted()
    }

    @Test func `a property is watched with nothing but its key path`() async {
        model.watch(\.note, on: .mainActor) { [heard, model] in heard.append(model.note ?? "none") }
        #expect(await heardOfChange(to: "some") == ["some"])
    }

    @Test func `a handler takes the target and the change, with all options at once`() async {
        model.watch(\.note, options: [.initial, .new, .old], on: .mainActor) { [heard] target, change in
            heard.append("\(change.oldValue ?? "none") \(change.newValue ?? "none") \(target.note ?? "none")")
        }
        #expect(await heard.wait(for: 1))
        #expect(await heardOfChange(to: "some") == ["none some some"])
        #expect(heard.all.first == "none none none")
    }

    @Test func `the initial event has the present value`() async {
        model.note = "first"
        model.watch(\.note, options: [.initial], on: .mainActor) { [heard] target, _ in
            heard.append(target.note ?? "none")
        }
        #expect(await heard.wait(for: 1))
        #expect(heard.all == ["first"])
    }

    private func watchThrice() {
        model.watch(\.note, on: .mainActor) { [heard] in heard.append("first line") }
        model.watch(\.note, on: .mainActor) { [heard] in heard.append("second line") }
        model.watch(\.note, id: "mine", options: [.old], on: .mainActor) { [heard] in heard.append("mine") }
    }

    @Test func `each line is an observer of its own, and one with an identifier too`() async {
        for _ in 1...2 { watchThrice() }
        #expect(await heardOfChange() == ["first line", "mine", "second line"])
    }

    @Test func `one identifier is ended`() async {
        watchThrice()
        model.unwatch(\.note, forIds: ["mine"])
        #expect(await heardOfChange() == ["first line", "second line"])
    }

    @Test func `all of one property are ended, and no other property's`() async {
        watchThrice()
        model.watch(\.number, on: .mainActor) { [heard] in heard.append("number") }
        model.unwatch(\.note)
        #expect(await heardOfChange() == [])
        model.number = 1
        #expect(await heard.wait(for: 1))
    }

    @Test func `all of the file are ended`() async {
        watchThrice()
        model.watch(\.note, on: .mainActor, file: "Other/File.swift") { [heard] in heard.append("other") }
        model.unwatchAllFilePrivate()
        #expect(await heardOfChange() == ["other"])
    }

    @Test func `all are ended`() async {
        watchThrice()
        model.watch(\.note, on: .mainActor, file: "Other/File.swift") { [heard] in heard.append("other") }
        model.unwatchAll()
        #expect(await heardOfChange() == [])
    }
}
