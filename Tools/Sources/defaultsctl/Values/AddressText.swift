/// Addresses as keys of the type `URL` read them.
enum AddressText {
    /// Whether a word has a scheme and, after two slashes, a host and a port that can be ones.
    ///
    /// What follows may be anything without blanks, and is escaped where it has to be.
    static func isAddress(_ word: String) -> Bool {
        let form = /[A-Za-z][A-Za-z0-9+.\-]*:(?:\/\/(?<authority>[^\/?#]*))?\S*/
        guard let parts = word.wholeMatch(of: form) else { return false }
        guard let authority = parts.authority else { return true }
        let place =
            #/
            (?: [^@\[\]\s]* @ )?
            (?: \[ [0-9A-Fa-f:.]+ \] | (?: [^\x00-\x20"<>\\^`{|}%\[\]@:\x7F] | % [0-9A-Fa-f]{2} )* )
            (?: : [0-9]* )?
        /#
        return authority.wholeMatch(of: place) != nil
    }
}
