public import TypedDefaults
