/// Addresses as keys of the type `URL` read them.
enum AddressText {
    /// Whether a text is an address, or the end of one that is relative to another.
    ///
    /// Foundation escapes what may not stand in a path, but no scheme and no host.
    static func isReference(_ text: String) -> Bool {
        let start = text.prefix { !"/?#@[]".contains($0) }
        var rest = text[...]
        if let colon = start.firstIndex(of: ":") {
            // One may also be empty.
            guard start[..<colon].wholeMatch(of: /([A-Za-z][A-Za-z0-9+.\-]*)?/) != nil else { return false }
            rest = text[text.index(after: colon)...]
        }
        guard rest.hasPrefix("//") else { return !text.isEmpty }
        return isPlace(rest.dropFirst(2).prefix { !"/?#".contains($0) })
    }

    /// Whether a word has a scheme and, after two slashes, a host and a port that can be ones.
    ///
    /// What follows may be anything without blanks, and is escaped where it has to be.
    static func isAddress(_ word: String) -> Bool {
        let form = /[A-Za-z][A-Za-z0-9+.\-]*:(?:\/\/(?<authority>[^\/?#]*))?\S*/
        guard let parts = word.wholeMatch(of: form) else { return false }
        return parts.authority.map(isPlace) ?? true
    }

    /// Whether a text can be a host and a port, with a user in front of them.
    private static func isPlace(_ authority: Substring) -> Bool {
        let place =
            #/
            (?: (?s: .* ) @ )?
            (?: \[ [A-Za-z0-9!$%&'()*+,\-.:;=_~]* \]
              | (?: [^\x00-\x20"<>\\^`{|}%\[\]@:\x7F] | % [0-9A-Fa-f]{2} )* )
            (?: : [0-9]* )?
        /#
        return authority.wholeMatch(of: place) != nil
    }
}
