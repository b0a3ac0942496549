/// The check of the fuzz target `journal`.
func objection(to input: [UInt8]) -> String? { JournalFuzzCheck.objection(to: input) }
