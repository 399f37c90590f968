import HTTPTypes
import Interface

/// Vaults and other people: members, caretakers, links and emergency contacts.
struct VaultSharingRoutes {
    let environment: Environment
    let epochs: VaultEpochs

    func add(to routes: inout RouteTable) {
        addMembers(to: &routes)
        addInbox(to: &routes)
        addLinks(to: &routes)
        addContacts(to: &routes)
    }

    private func addMembers(to routes: inout RouteTable) {
        let sharing = VaultSharing(environment: environment)
        routes.secured(
            .post, "/api/vault/recipients", "Find somebody who has a vault, with the keys of their devices",
            .keepVault, takes: VaultRecipientName.self, answers: VaultRecipient.self, problems: [.notFound]
        ) { request, call, principal in
            try call.shell.rates.spend(.vaultRecipient, for: .account(principal.account))
            return try await sharing.recipient(request, principal)
        }
        routes.pages(
            "/api/vault/shared", "Compartments of others that you may use, newest first", .keepVault,
            of: SharedVaultCompartment.self
        ) { request, _, principal in try await sharing.shared(principal, request) }
        routes.secured(
            .get, "/api/vault/shared/{id}/owner",
            "Who has shared a compartment with you, with the keys of their devices",
            .keepVault, answers: VaultRecipient.self, problems: [.notFound]
        ) { call, principal in try await sharing.owner(of: try call.parameter("id"), principal) }
        routes.secured(
            .get, "/api/vault/compartments/{id}/members", "Who may use your compartment", .keepVault,
            answers: Listing<VaultMember>.self, problems: [.notFound]
        ) { call, principal in Listing(try await sharing.members(of: try call.parameter("id"), principal)) }
        routes.secured(
            .get, "/api/vault/compartments/{id}/members/{account}",
            "A member of your compartment, with the keys of their devices", .keepVault, answers: VaultRecipient.self,
            problems: [.notFound]
        ) { call, principal in
            try await sharing.member(try call.parameter("account"), of: try call.parameter("id"), principal)
        }
        routes.secured(
            .put, "/api/vault/compartments/{id}/members/{account}", "Let somebody use your compartment", .keepVault,
            confirmed: true, takes: NewVaultMember.self, answers: VaultMember.self, problems: [.notFound, .conflict]
        ) { request, call, principal in
            try await sharing.set(
                try call.parameter("account"), in: try call.parameter("id"), request, principal)
        }
        routes.secured(
            .delete, "/api/vault/compartments/{id}/members/{account}", "End a membership, yours or in your compartment",
            .keepVault, answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await sharing.remove(try call.parameter("account"), in: try call.parameter("id"), principal)
            return NoContent()
        }
    }

    private func addInbox(to routes: inout RouteTable) {
        let inbox = VaultInbox(environment: environment, epochs: epochs)
        routes.secured(
            .post, "/api/vault/compartments/{id}/inbox", "Put something into a compartment's inbox", .keepVault,
            takes: NewVaultDrop.self, limit: .document, answers: VaultDrop.self, status: .created,
            problems: [.notFound, .conflict]
        ) { request, call, principal in try await inbox.put(try call.parameter("id"), request, principal) }
        routes.secured(
            .get, "/api/vault/compartments/{id}/inbox", "What is in the inbox of your compartment", .keepVault,
            answers: Listing<VaultDrop>.self, problems: [.notFound]
        ) { call, principal in Listing(try await inbox.list(try call.parameter("id"), principal)) }
        routes.secured(
            .delete, "/api/vault/compartments/{id}/inbox/{drop}", "Take something out of the inbox", .keepVault,
            answers: NoContent.self, status: .noContent, problems: [.notFound]
        ) { call, principal in
            try await inbox.remove(try call.parameter("drop"), in: try call.parameter("id"), principal)
            return NoContent()
        }
    }

    private func addLinks(to routes: inout RouteTable) {
        let links = VaultLinks(environment: environment)
        routes.secured(
            .post, "/api/vault/links", "Make a link to something of your vault; its code is shown this once",
            .keepVault, takes: NewVaultLink.self, limit: .document, answers: Share.self, status: .created,
            problems: [.notFound, .conflict]
        ) { request, _, principal in try await links.create(request, principal) }
        routes.pages(
            "/api/vault/links", "Your links to things of your vault, newest first", .keepVault, of: Share.self
        ) { request, _, principal in try await links.list(principal, request) }
        routes.secured(
            .delete, "/api/vault/links/{id}", "Stop a link", .keepVault, answers: NoContent.self, status: .noContent,
            problems: [.notFound]
        ) { call, principal in
            try await links.stop(try call.parameter("id"), principal)
            return NoContent()
        }
    }

    private func addContacts(to routes: inout RouteTable) {
        let contacts = VaultContacts(environment: environment)
        routes.pages(
            "/api/vault/contacts", "Vaults whose emergency contact you are, newest first", .keepVault,
            of: VaultContactSlot.self
        ) { request, _, principal in try await contacts.list(principal, request) }
        routes.secured(
            .post, "/api/vault/contacts/{owner}/{id}/ask", "Ask for a vault whose emergency contact you are",
            .keepVault, confirmed: true, takes: NoMembers.self, answers: Acknowledgement.self,
            problems: [.notFound, .conflict]
        ) { _, call, principal in
            try await contacts.ask(try call.parameter("id"), of: try call.parameter("owner"), principal)
        }
        routes.secured(
            .delete, "/api/vault/slots/{id}/asked", "Say no to your emergency contact", .keepVault,
            answers: Acknowledgement.self, problems: [.notFound]
        ) { call, principal in try await contacts.refuse(try call.parameter("id"), principal) }
    }
}
