import DefaultsStore
import Testing

@testable import TypedDefaults

/// What a key's slot takes a stored text for.
struct HotSlotTests {
    private func again(_ slot: borrowing HotSlot, _ text: String, at moment: UInt64) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { slot.textAgain($0, at: moment, FreshnessCell.never) }
    }

    @Test func `a text is known again once it was looked at and stands in the slot`() {
        let slot = HotSlot()
        #expect(again(slot, #""light""#, at: 1) == nil)
        slot.keep("light", at: 1, FreshnessCell.never)
        #expect(again(slot, #""light""#, at: 2) == "light")
        #expect(again(slot, #""night""#, at: 3) == nil)
        #expect(again(slot, #""night""#, at: 4) == nil)
        slot.keep("night", at: 4, FreshnessCell.never)
        #expect(again(slot, #""night""#, at: 5) == "night")
    }

    @Test func `a text is not known again at an earlier moment`() {
        let slot = HotSlot()
        #expect(again(slot, #""light""#, at: 5) == nil)
        slot.keep("light", at: 5, FreshnessCell.never)
        #expect(again(slot, #""light""#, at: 4) == nil)
        #expect(again(slot, #""light""#, at: 5) == nil)
    }

    @Test func `escaped bytes are not taken for the text that has them as they are`() {
        let slot = HotSlot()
        slot.keep(#"a\nb"#, at: 1, FreshnessCell.never)
        // The second time its print is known, as if it had been looked at and not been kept.
        #expect(again(slot, #""a\nb""#, at: 2) == nil)
        #expect(again(slot, #""a\nb""#, at: 3) == nil)
    }
}
