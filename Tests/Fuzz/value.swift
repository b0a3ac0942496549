/// The check of the fuzz target `value`.
func objection(to input: [UInt8]) -> String? { ValueFuzzCheck.objection(to: input) }
