import Storage

/// Reads the desk's tables for the hammer's rules.
struct HammerDeskStore {
    let transaction: Transaction

    func tables() throws -> HammerDeskTables {
        var desk = HammerDeskTables()
        desk.clients = try transaction.rows("SELECT id, family_name, sealed, erased FROM clients").map {
            HammerDeskTables.Client(
                id: try $0.text("id"), familyName: try $0.text("family_name"),
                isErased: try $0.optionalInteger("erased") != nil, hasDetails: try !$0.text("sealed").isEmpty)
        }
        for row in try transaction.rows("SELECT client, id FROM client_templates") {
            desk.templates[try row.text("client")] = try row.text("id")
        }
        desk.acts = try transaction.rows(
            "SELECT client, kind, template, log_index FROM client_acts ORDER BY log_index"
        ).map {
            HammerDeskTables.Act(
                client: try $0.text("client"), kind: try $0.text("kind"), template: try $0.text("template"),
                entry: try $0.integer("log_index"))
        }
        desk.signings = try transaction.rows(
            "SELECT id, client, state, digest, sealed, decision, log_index FROM signings"
        ).map {
            HammerDeskTables.Signing(
                id: try $0.text("id"), client: try $0.text("client"), state: try $0.text("state"),
                digest: try $0.text("digest"), hasEvidence: try !$0.text("sealed").isEmpty,
                hasDecision: try $0.optionalText("decision") != nil, entry: try $0.optionalInteger("log_index"))
        }
        for row in try transaction.rows("SELECT digest, blob FROM signed_files WHERE blob <> ''") {
            desk.files[try row.text("digest")] = try row.text("blob")
        }
        desk.texts = try transaction.rows("SELECT id, version, deleted FROM workspace_documents").map {
            HammerDeskTables.Text(
                id: try $0.text("id"), version: try $0.integer("version"),
                isDeleted: try $0.optionalInteger("deleted") != nil)
        }
        desk.blocked = Set(
            try transaction.rows("SELECT username FROM accounts WHERE blocked IS NOT NULL").map {
                try $0.text("username")
            })
        return desk
    }
}
