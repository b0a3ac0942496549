// Two properties of one name in one scope, in the protocols of two parts of a program.
import TypedDefaults
import TypedDefaultsCompatibility

protocol KeysOfPartA: PropertyDefaults { var interval: Int? { get } }
extension Defaults: KeysOfPartA {  // refused: does not conform to protocol 'KeysOfPartA'
    var interval: Int? {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

protocol KeysOfPartB: PropertyDefaults { var interval: Int? { get } }
extension Defaults: KeysOfPartB {
    var interval: Int? {  // refused: invalid redeclaration of 'interval'
        get { get() }
        nonmutating set { set(newValue) }
    }
}
