/// The check of the fuzz target `document`.
func objection(to input: [UInt8]) -> String? { DocumentFuzzCheck.objection(to: input) }
