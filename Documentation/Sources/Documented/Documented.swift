/// The modules whose documentation is built; the plugin documents those that a target depends on.
public import DefaultsStore
public import TypedDefaults
public import TypedDefaultsFoundation
