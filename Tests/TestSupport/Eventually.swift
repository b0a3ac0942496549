import Foundation

/// Waits until something holds that no event tells of, looking again and again for at most half a minute.
///
/// - Returns: whether it came to hold.
package func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(120)
    while try !holds() {
        guard ContinuousClock.now < deadline else { return false }
        poll(nil, 0, 5)
    }
    return true
}
