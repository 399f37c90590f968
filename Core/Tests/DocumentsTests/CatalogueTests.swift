import Documents
import Encodings
import Testing

@Suite("The catalogue")
struct CatalogueTests {
    private let course = JSON.members([
        ("code", .text("CS1")), ("title", .text("Algorithms")), ("credits", .text("7.5")), ("grade", .text("A")),
    ])

    private func transcript(_ change: [(String, JSON?)] = []) throws -> [JSON.Member] {
        var values = try members(
            .members([
                ("given_name", .text("Ada")), ("family_name", .text("Lovelace")), ("student_number", .text("42")),
                ("programme", .text("Mathematics")), ("courses", .array([course])), ("credits_total", .integer(180)),
            ]))
        for (name, value) in change {
            values.removeAll { $0.name.equals(text: name) }
            if let value { values.append(JSON.Member(name, value)) }
        }
        return values
    }

    @Test("knows its five types by name")
    func types() {
        #expect(DocumentCatalogue.types.map(\.name) == ["transcript", "degree", "employment", "generic", "identity"])
        for type in DocumentCatalogue.types {
            #expect(DocumentCatalogue.type(named: Bytes(text: type.name))?.title == type.title)
            let hasMandatory = type.fields.contains { $0.isMandatory }
            #expect(hasMandatory)
            for field in type.fields {
                let isSnake = field.name.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A || $0 == 0x5F }
                #expect(isSnake)
            }
        }
        #expect(DocumentCatalogue.type(named: Bytes(text: "Degree")) == nil)
        #expect(!DocumentCatalogue.identity.isIssuedOnRequest)
    }

    @Test("has every title and label in German and Arabic, and those of another language in English")
    func languages() {
        func check(_ fields: [CatalogueField]) {
            for field in fields {
                #expect(field.labels.map(\.language) == ["ar", "de"] && !field.labels.contains { $0.text.isEmpty })
                #expect(field.label(in: Bytes(text: "fr")) == field.label)
                if case .list(let columns) = field.kind { check(columns) }
            }
        }
        for type in DocumentCatalogue.types {
            #expect(type.titles.map(\.language) == ["ar", "de"])
            check(type.fields)
        }
        #expect(DocumentCatalogue.degree.title(in: Bytes(text: "de")) == "Abschlusszeugnis")
        #expect(DocumentCatalogue.degree.fields[0].label(in: Bytes(text: "ar")) == "الاسم الأول")
        #expect(DocumentCatalogue.degree.fields[0].label(in: Bytes(text: "en")) == "Given name")
    }

    @Test(
        "adds the credits of courses up exactly",
        arguments: [
            ([.integer(10), .text("7.5"), .text("2.25")], .text("19.75")),
            ([.text("2.5"), .text("2.50")], .integer(5)),
            ([.text("0.1"), .text("0.2")], .text("0.3")), ([.text("0.000001")], .text("0.000001")),
            ([.text("1.05"), .integer(0)], .text("1.05")), ([.integer(3), .text("many"), .integer(-1)], .integer(3)),
            ([.text("many")], nil), ([], nil), ([.integer(.max)], nil),
            ([.integer(9_000_000_000_000), .integer(9_000_000_000_000), .integer(9_000_000_000_000)], nil),
        ] as [([JSON], JSON?)])
    func totals(credits: [JSON], total: JSON?) {
        let rows = credits.map { JSON.members([("title", .text("A")), ("credits", $0)]) }
        let totals = DocumentCatalogue.transcript.totals(of: [JSON.Member("courses", .array(rows + [.integer(1)]))])
        #expect(totals == (total.map { [JSON.Member("credits_total", $0)] } ?? []))
        #expect(DocumentCatalogue.degree.totals(of: [JSON.Member("courses", .array(rows))]).isEmpty)
    }

    @Test("accepts a transcript, with and without what is optional")
    func accepted() throws {
        try DocumentCatalogue.transcript.validate(transcript())
        try DocumentCatalogue.transcript.validate(
            transcript([("grade_average", .text("1.7")), ("date_of_birth", .text("1815-12-10"))]))
    }

    @Test(
        "names the field that is wrong, and why",
        arguments: [
            ("family_name", nil, "family_name", .missing), ("courses", nil, "courses", .missing),
            ("nickname", .text("A"), "nickname", .unknown),
            ("given_name", .text(""), "given_name", .empty),
            ("given_name", .integer(1), "given_name", .notText),
            ("given_name", .text("A\u{0}"), "given_name", .notText),
            ("given_name", .text(String(repeating: "x", count: 2001)), "given_name", .tooLong),
            ("credits_total", .text("many"), "credits_total", .notNumber),
            ("credits_total", .integer(-1), "credits_total", .notNumber),
            ("credits_total", .text("1."), "credits_total", .notNumber),
            ("credits_total", .text(".5"), "credits_total", .notNumber),
            ("date_of_birth", .text("1815-13-10"), "date_of_birth", .notDate),
            ("date_of_birth", .text("1900-02-29"), "date_of_birth", .notDate),
            ("date_of_birth", .text("15-12-10"), "date_of_birth", .notDate),
            ("courses", .text("CS1"), "courses", .notList), ("courses", .array([]), "courses", .empty),
            ("courses", .array([.text("CS1")]), "courses[0]", .notList),
            ("courses", .array([.members([("code", .text("CS1"))])]), "courses[0].title", .missing),
        ] as [(String, JSON?, String, FieldError.Reason)])
    func refused(name: String, value: JSON?, field: String, reason: FieldError.Reason) throws {
        let values = try transcript([(name, value)])
        var caught: FieldError?
        do { try DocumentCatalogue.transcript.validate(values) } catch { caught = error }
        #expect(caught?.reason == reason)
        #expect(caught.map { string($0.field) } == field)
    }

    @Test("refuses a field twice")
    func twice() throws {
        let values = try transcript() + [JSON.Member("given_name", .text("Eve"))]
        #expect(throws: FieldError.self) { try DocumentCatalogue.transcript.validate(values) }
    }

    @Test("knows leap years", arguments: [("2024-02-29", true), ("2000-02-29", true), ("2023-02-29", false)])
    func leapYears(date: String, isDay: Bool) throws {
        let values = try transcript([("date_of_birth", .text(date))])
        let isAccepted = (try? DocumentCatalogue.transcript.validate(values)) != nil
        #expect(isAccepted == isDay)
    }

    @Test("tells which mandatory fields a holder does not show")
    func withheld() {
        let missing = DocumentCatalogue.degree.mandatoryFields(missingFrom: [Bytes(text: "degree")])
        #expect(missing.map(\.name) == ["family_name", "field_of_study", "conferred_on"])
    }
}
