// Whole settings of class type that cannot take over what was loaded.
import TypedDefaults
import TypedDefaultsCompatibility

final class Game: SettingsManageable {  // refused: a class has to implement assign(from:)
    var level = 1
}
