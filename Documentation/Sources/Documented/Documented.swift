/// The modules whose documentation is built; the plugin documents those that a target depends on.
import DefaultsStore
import TypedDefaults
import TypedDefaultsCompatibility
import TypedDefaultsFoundation
