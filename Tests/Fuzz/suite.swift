/// The check of the fuzz target `suite`.
func objection(to input: [UInt8]) -> String? { SuiteFuzzCheck.objection(to: input) }
