import Documents
import HTTPTypes
import Interface
import Testing

@testable import Server

/// Types of documents as programs and pages ask for them.
@Suite("The languages of document types")
struct CatalogueLabelTests {
    @Test("the interface has each title and label in German and Arabic beside the English")
    func labels() async throws {
        try await TestOrganisation().serve { client in
            let types = try await client.send(.get, "/api/catalogue").decode(Listing<DocumentType>.self).items
            #expect(types.map(\.id) == DocumentCatalogue.types.filter(\.isIssuedOnRequest).map(\.name))
            for type in types {
                let known = try #require(DocumentCatalogue.types.first { $0.name == type.id })
                #expect(type.titles?.map(\.language) == ["ar", "de"])
                #expect(type.titles?.map(\.text) == known.titles.map(\.text))
                for (field, own) in zip(type.fields, known.fields) {
                    #expect(field.labels?.map(\.language) == ["ar", "de"], "\(type.id).\(field.name)")
                    #expect(field.labels?.map(\.text) == own.labels.map(\.text))
                }
            }
            let degree = try #require(types.first { $0.id == "degree" })
            #expect(degree.titles?.last?.text == "Abschlusszeugnis")
        }
    }
}
