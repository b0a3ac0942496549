/// Changes of objects by the members that they set and remove.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.ownThread) struct MergePatchTests {
    private static let objects: [DefaultsObject] = [
        [:], ["a": 1], ["a": 2], ["a": nil], ["b": 1, "a": 1], ["a": ["x": 1]],
        ["a": ["x": 2, "y": [1, 2]]],
        ["a": ["x": ["z": nil]], "b": []], ["a": [["x": 1]]], ["a": ["y": [1, 2], "x": 2], "c": "t"],
    ]

    @Test(arguments: objects, objects)
    func `a patch makes one object of another, and applying it again changes nothing (F25)`(
        _ old: DefaultsObject, _ new: DefaultsObject
    ) throws {
        let patch = MergePatch(from: old, to: new)
        #expect(patch.applied(to: old) == new)
        #expect(patch.applied(to: new) == new)
        #expect(MergePatch(patch.text.value) == patch)
        for base in Self.objects {
            let once = patch.applied(to: base)
            #expect(patch.applied(to: once) == once)
        }
    }

    @Test(arguments: objects, objects)
    func `two patches after one another are one, over any object (F25)`(
        _ old: DefaultsObject, _ new: DefaultsObject
    ) {
        for middle in Self.objects {
            let (first, second) = (MergePatch(from: old, to: middle), MergePatch(from: middle, to: new))
            for base in Self.objects {
                #expect(
                    second.following(first).applied(to: base) == second.applied(to: first.applied(to: base)))
            }
        }
    }

    @Test func `members that are not named stay in their order, and new ones follow`() {
        let patch = MergePatch(from: ["w": 1, "h": 2], to: ["w": 3, "d": 4])
        #expect(patch.text == StoredValue(["w": [3], "d": [4], "h": []]))
        #expect(patch.applied(to: ["x": 0, "w": 1, "h": 2, "y": 0]).map(\.key) == ["x", "w", "y", "d"])
    }

    @Test(arguments: [nil, [], ["a": 1], ["a": [1, 2]], ["a": ["b": nil]]] as [DefaultsValue])
    func `what is no patch is refused`(_ value: DefaultsValue) { #expect(MergePatch(value) == nil) }
}
