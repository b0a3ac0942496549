/// The check of the fuzz target `plist`.
func objection(to input: [UInt8]) -> String? { PropertyListFuzzCheck.objection(to: input) }
