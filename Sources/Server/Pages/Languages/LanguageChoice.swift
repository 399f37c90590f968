import HTTPTypes
import Hummingbird

/// The language wanted for a page: the one that the account keeps, else the one chosen in this browser, else the first
/// that the browser names and that there is.
enum LanguageChoice {
    /// The cookie that the chooser sets (`Web/shell/language.js`).
    static let cookie = "language"

    /// The code of one of `languages`; the first of these is the default.
    static func code(for request: Request, among languages: [String]) -> String {
        let cookies: [String] = request.headers[values: .cookie].reduce(into: []) { all, field in
            all += field.split(separator: ";").map { $0.filter { $0 != " " } }
        }
        for name in [SessionCookie.languageName, cookie] {
            let chosen = cookies.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
            if let chosen, let known = languages.first(where: { $0 == chosen }) { return known }
        }
        let accepted = request.headers[values: .acceptLanguage].joined(separator: ",")
        return code(accepting: accepted, among: languages)
    }

    /// What an answer depends on, beside its address.
    static let varying = "Accept-Language, Cookie"

    /// The language that `?language=` names, else the one that a page would be in.
    ///
    /// - Throws: `Problem` `bad-request` for a language that there is not.
    static func catalogue(for call: Call, among catalogues: [WordCatalogue]) throws -> WordCatalogue {
        let codes = catalogues.map(\.code)
        let named = call.query("language")
        if let named, !codes.contains(named) {
            throw Problem(.badRequest, "language: one of \(codes.joined(separator: ", ")).")
        }
        let code = named ?? code(for: call.request, among: codes)
        return catalogues.first { $0.code == code } ?? .english
    }

    /// By an `Accept-Language` field (RFC 9110, section 12.5.4): the heaviest range whose first subtag there is.
    static func code(accepting field: String, among languages: [String]) -> String {
        var best: (code: String, weight: Double)?
        for range in field.split(separator: ",").prefix(20) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            guard let tag = parts.first,
                let known = languages.first(where: { $0 == tag || tag.hasPrefix($0 + "-") })
            else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            if weight > best?.weight ?? 0 { best = (known, weight) }
        }
        return best?.code ?? languages.first ?? "en"
    }
}
