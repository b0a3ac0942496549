import DefaultsStore
import Testing

@testable import TypedDefaults

/// What a key's slot takes a stored text for.
struct HotSlotTests {
    private let light = "a light theme with a name that needs memory"
    private let night = "a night theme with a name that needs memory"

    private func kept(_ slot: borrowing HotSlot, _ text: String, at moment: UInt64) -> String? {
        Array(text.utf8).withUnsafeBufferPointer { slot.keepPlain($0, at: moment, FreshnessCell.never) }
    }

    /// Where the bytes of a text stand that is too long to stand in the value itself.
    private func place(_ text: String?) -> UInt? {
        var text = text
        return text?.withUTF8 { UInt(bitPattern: $0.baseAddress) }
    }

    @Test func `a text that comes again is not made anew, and another one is`() {
        let slot = HotSlot()
        let first = kept(slot, "\"\(light)\"", at: 1)
        let again = kept(slot, "\"\(light)\"", at: 2)
        let other = kept(slot, "\"\(night)\"", at: 3)
        let third = kept(slot, "\"\(light)\"", at: 4)
        #expect([first, again, other, third] == [light, light, night, light])
        #expect(place(first) == place(again))
        #expect(place(first) != place(third))
    }

    @Test func `a text of an earlier moment is given and not kept`() {
        let slot = HotSlot()
        let later = kept(slot, "\"\(light)\"", at: 5)
        #expect(kept(slot, "\"\(night)\"", at: 4) == night)
        #expect(kept(slot, "\"\(night)\"", at: 5) == night)
        #expect(place(kept(slot, "\"\(light)\"", at: 6)) == place(later))
    }

    @Test func `escaped bytes are not taken for the text that has them as they are`() {
        let slot = HotSlot()
        slot.keep(#"a\nb"#, at: 1, FreshnessCell.never)
        #expect(kept(slot, #""a\nb""#, at: 2) == nil)
        #expect(kept(slot, #""a\nb""#, at: 3) == nil)
    }

    @Test func `what is no text, or no UTF-8, is left to the general coder`() {
        let slot = HotSlot()
        #expect(kept(slot, "1", at: 1) == nil)
        #expect(kept(slot, "\"", at: 2) == nil)
        let bytes: [UInt8] = [0x22, 0xFF, 0x22]
        #expect(bytes.withUnsafeBufferPointer { slot.keepPlain($0, at: 3, FreshnessCell.never) } == nil)
        #expect(kept(slot, "\"\(light)\"", at: 4) == light)
    }
}
