/// What libFuzzer calls with each input; the target's own file says what is checked.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let objection = objection(to: Array(UnsafeBufferPointer(start: start, count: count))) {
        fatalError(objection)
    }
    return 0
}
