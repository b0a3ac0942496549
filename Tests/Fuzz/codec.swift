/// The check of the fuzz target `codec`.
func objection(to input: [UInt8]) -> String? { CodecFuzzCheck.objection(to: input) }
