import Encodings
import Foundation
import HTTPTypes
import HummingbirdTesting
import Interface
import Testing

@testable import Server

@Suite("One table of permissions")
struct PermissionTests {
    /// What people are told.
    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "docs/permissions.md"), encoding: .utf8)
    }

    @Test("docs/permissions.md says what the code does")
    func document() throws {
        let made = Slice.all.permissionsPage()
        #expect(Bytes(text: try Self.page()) == Bytes(text: made), "\(made)")
    }

    /// Whether the page grants a permission to a role: the code is not asked.
    private static func isDocumented(_ permission: Permission, _ role: Role) throws -> Bool {
        let lines = try page().split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let head = try #require(lines.first { $0.first == "permission" })
        let row = try #require(lines.first { $0.first == "`\(permission.rawValue)`" })
        let mark = row[try #require(head.firstIndex(of: role.rawValue))]
        try #require(mark == "yes" || mark == "-")
        return mark == "yes"
    }

    @Test("nobody can both hold documents and sign them, or both be certified and certify")
    func separation() {
        for role in Role.allCases {
            let has = Set(Slice.all.permissions.filter { $0.isGranted(to: role) })
            #expect(!(has.contains(.holdDocuments) && has.contains(.signDocuments)))
            #expect(!(has.contains(.requestDelegation) && has.contains(.delegate)))
            #expect(!(has.contains(.proveIdentity) && has.contains(.identifyMembers)))
        }
    }

    @Test("what changes who is trusted is the main administrator's alone")
    func owner() {
        let all = Slice.all.permissions
        #expect(Set(all.map(\.rawValue)).count == all.count)
        for permission in [Permission.manageInvitations, .delegate, .revokeAdministrator] {
            #expect(permission.roles == [.owner])
        }
        #expect(all.allSatisfy { !$0.roles.isEmpty && !$0.meaning.isEmpty })
    }

    @Test(
        "a route with a permission answers exactly the roles to which docs/permissions.md grants it",
        arguments: Slice.all.permissions, Role.allCases)
    func enforced(_ permission: Permission, _ role: Role) async throws {
        let expected: HTTPResponse.Status = try Self.isDocumented(permission, role) ? .noContent : .forbidden
        var routes = RouteTable()
        routes.secured(.get, "/api/x", "X", permission, answers: NoContent.self) { _, _ in NoContent() }
        try await withServer(routes: routes) { client in
            try await client.execute(uri: "/api/x", method: .get, headers: [.authorization: "Bearer \(role.rawValue)"])
            { #expect($0.status == expected) }
        }
    }

    static let tokens: [([String], Bool)] = [
        (["Bearer member"], true), (["bearer member"], true), (["Bearer  member"], false), (["member"], false),
        (["Basic member"], false), (["Bearer"], false), (["Bearer "], false), ([], false),
        (["Bearer member", "Bearer member"], false), (["Bearer " + String(repeating: "x", count: 300)], false),
    ]

    @Test("only one well-formed bearer token counts", arguments: tokens)
    func bearer(_ fields: [String], _ isGood: Bool) async throws {
        try await withServer { client in
            var headers = HTTPFields()
            headers[values: .authorization] = fields
            try await client.execute(uri: "/api/me", method: .get, headers: headers) {
                #expect($0.status == (isGood ? .ok : .unauthorized))
            }
        }
    }
}
